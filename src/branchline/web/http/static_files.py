"""Static files."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from branchline.web.pages import assets


async def static(request: Request) -> Response:
    """A static file; under its digest it may be kept for ever."""
    name = str(request.path_params["name"])
    first, _, rest = name.partition("/")
    kept = first == assets.digest()
    file = await asyncio.to_thread(_static_file, rest if kept else name)
    if file is None:
        return Response(status_code=404)
    content = await asyncio.to_thread(file.read_bytes)
    kind = _KINDS.get(file.suffix, "application/octet-stream")
    return Response(
        content, media_type=kind, headers={"cache-control": assets.FOR_EVER if kept else assets.FOR_A_WHILE}
    )


def _static_file(name: str) -> Path | None:
    """The static file of a name, if there is one."""
    try:
        file = (assets.STATIC / name).resolve()
        there = name.isprintable() and file.is_relative_to(assets.STATIC.resolve()) and file.is_file()
    except OSError:  # no file can have such a name: it is too long
        return None
    return file if there else None


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
}
