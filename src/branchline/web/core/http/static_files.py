"""Static files."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from branchline.web.core.http.clients import root
from branchline.web.core.pages import assets


async def static(request: Request) -> Response:
    """Return a static file; under its digest it may be cached for ever."""
    name = str(request.path_params["name"])
    first, _, rest = name.partition("/")
    kept = first == assets.digest()
    files = await asyncio.to_thread(assets.files)
    file = files.get(rest if kept else name)
    if file is None:
        other = assets.now_called(name)
        return RedirectResponse(assets.url(other, root(request))) if other else Response(status_code=404)
    content = await asyncio.to_thread(file.read_bytes)
    kind = assets.KINDS.get(file.suffix, "application/octet-stream")
    return Response(
        content, media_type=kind, headers={"cache-control": assets.FOR_EVER if kept else assets.FOR_A_WHILE}
    )
