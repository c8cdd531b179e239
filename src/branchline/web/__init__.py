"""Play in a browser: rooms with people, friends and bots; pages, a WebSocket and a JSON API.

The server (`app`, `rooms`, `store`, …) keeps games and says who may see what; the pages (`pages`, templates, words)
make HTML of it; `CONTRACT.md` is what they agreed on. No rule is repeated here: everything goes through
`branchline.game`.
"""
