"""HEAD wherever there is GET: the same work, the same headers, and no body."""

from __future__ import annotations

from branchline.web.core.http.middleware import App, Message, Receive, Scope, Send

_FOUND = ("route", "endpoint", "path_params")  # what the router notes of a request, for whoever looks afterwards


class HeadRequests:
    """Asks the application as GET does, and keeps the body back."""

    def __init__(self, app: App) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] != "http.response.body":
                await send(message)
            elif not message.get("more_body", False):
                await send({"type": "http.response.body", "body": b""})

        asked = {**scope, "method": "GET"}  # a copy: the server underneath has to know that no body comes
        try:
            await self.app(asked, receive, without_body)
        finally:
            scope.update({name: asked[name] for name in _FOUND if name in asked})
