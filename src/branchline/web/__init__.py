"""Play in a browser: rooms with people, friends and bots; pages, a WebSocket and a JSON API.

A request comes in at `http`, is answered from `rooms`, and is shown by `pages`. Imports only go down:

    http       the application, its routes, WebSocket and JSON API, who asks, and what nobody may do
    pages      HTML and sentences, made of a context and of nothing else (with `templates`, `static`, `locale`)
    rooms      a room as a value, live rooms, clocks, bots, replays, analyses, and what each viewer may see
    store      the database, its migrations, and notifications between processes
    security   tokens, and the signatures of links and forms
    context    what a page is handed
    settings   how the server is run

`pages` and `rooms` do not know each other: a room makes a context, and a page is made of one. What they agree on is
in `docs/web.md`. No rule is repeated here: everything goes through `branchline.game`.
"""
