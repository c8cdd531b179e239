"""Serving below a path: everything inside hears and says addresses as if the server were at the root of its host.

A proxy may take the path away (`proxy_pass http://…/`, `handle_path`, `root_path` of ASGI) or leave it: both are heard.
"""

from __future__ import annotations

from branchline.web.core.http.middleware import App, Message, Receive, Scope, Send

PERMANENTLY = 308


class UnderPath:
    """The outermost layer of the application: takes the path off requests, and puts it before `Location`."""

    def __init__(self, app: App, root: str) -> None:
        """Wrap an application; `root` as in `/branchline`, or empty."""
        self.app, self.root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if not self.root or scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == self.root:
            await self._to_home(scope, send)
        else:
            await self.app(self._inside(scope), receive, self._outside(send))

    def _inside(self, scope: Scope) -> Scope:
        path, raw = scope["path"], scope.get("raw_path")
        known = {"path": path, "root_path": ""}
        if path.startswith(f"{self.root}/"):
            known["path"] = path[len(self.root) :]
            if raw is not None and raw.startswith(f"{self.root}/".encode()):
                raw = raw[len(self.root) :]
        return {**scope, **known} if raw is None else {**scope, **known, "raw_path": raw}

    def _outside(self, send: Send) -> Send:
        async def outside(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.get("headers", ())
                message = {**message, "headers": [self._told(name, value) for name, value in headers]}
            await send(message)

        return outside

    def _told(self, name: bytes, value: bytes) -> tuple[bytes, bytes]:
        ours = name == b"location" and value.startswith(b"/") and not value.startswith(b"//")
        return (name, self.root.encode() + value) if ours else (name, value)

    async def _to_home(self, scope: Scope, send: Send) -> None:
        """Redirect the bare path to one that ends in `/`, as a service worker's scope does."""
        query = scope.get("query_string", b"")
        home = f"{self.root}/".encode() + (b"?" + query if query else b"")
        headers = [(b"location", home), (b"content-length", b"0"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": PERMANENTLY, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
