"""Play in a browser: rooms with people, friends and bots; pages, a WebSocket and a JSON API.

Each feature is one folder with all it needs: `routes` answers its addresses, `page` makes its pages, `store` keeps what
it stores, and its templates, scripts and style sheets lie beside them. Features share `core`, which knows none of them.
`app` puts all together, and `serving` runs it in one process or several.

What a page and what makes its context agree on is in `docs/web.md`. No rule is repeated here: everything goes through
`branchline.game`.
"""
