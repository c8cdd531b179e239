"""Static files."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from branchline.web.pages import assets


async def static(request: Request) -> Response:
    """A static file; under its digest it may be kept for ever."""
    name = str(request.path_params["name"])
    first, _, rest = name.partition("/")
    kept = first == assets.digest()
    files = await asyncio.to_thread(assets.files)
    file = files.get(rest if kept else name)
    if file is None:
        return Response(status_code=404)
    content = await asyncio.to_thread(file.read_bytes)
    kind = _KINDS.get(file.suffix, "application/octet-stream")
    return Response(
        content, media_type=kind, headers={"cache-control": assets.FOR_EVER if kept else assets.FOR_A_WHILE}
    )


_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
}
