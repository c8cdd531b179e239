"""Links of this server as QR codes, which phones read from a screen."""

from __future__ import annotations

import io

import segno
from starlette.responses import Response

from branchline.web.core.http.addresses import browser_address
from branchline.web.core.http.page_requests import PageError, PageRequest
from branchline.web.core.http.plan import ServeError

LONGEST_ORIGIN = 300  # letters; a name has 253 at most


def qr_code(req: PageRequest, path: str) -> Response:
    """Draw a path of this server as a QR code.

    The address begins with the public address; where there is none, with the one at which the browser says it is
    (`at`). What the `Host` header says is put into no link. Raise `PageError` if the browser said nonsense.
    """
    try:
        settings, reached_at = req.server.settings, req.http.query_params.get("at", "")[:LONGEST_ORIGIN]
        origin = settings.url or browser_address(reached_at) + settings.root
    except ServeError:
        raise PageError(400, "bad_request", "at: expected the address of this server") from None
    picture = io.BytesIO()
    segno.make_qr(f"{origin}{path}", error="m").save(picture, kind="svg", scale=4, border=3, dark="#000", light="#fff")
    return Response(picture.getvalue(), media_type="image/svg+xml")
