"""The log of a server: with time, as text or JSON, and without secrets.

Secrets are taken out of what is written, whoever writes it: keys of links and cookies, tokens of programs, passwords of
databases. What strangers send cannot make a line look like two.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

TEXT, JSON = "text", "json"

_HIDDEN = "…"
_SECRETS = (
    (
        re.compile(r"(?<=/)([jwd])/([^/\s]+)/[^/\s?\"']+"),
        rf"\1/\2/{_HIDDEN}",
    ),  # links to seats, for watching, to devices
    (re.compile(r"(branchline_key[^=\s]*=|bearer\s+|basic\s+)[^\s;,\"']+", re.IGNORECASE), rf"\1{_HIDDEN}"),
    (re.compile(r"(\w://[^\s/@:]*):[^\s/@]+@"), rf"\1:{_HIDDEN}@"),  # passwords in addresses
    (re.compile(r"(password=)('[^']*'|[^\s&;,]+)", re.IGNORECASE), rf"\1{_HIDDEN}"),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])", re.ASCII), _HIDDEN),  # tokens and signatures, wherever they stand
)
_EXTRA = ("method", "path", "status", "milliseconds", "address")


_SOCKET = re.compile(r'"WebSocket |^connection (open|closed)')


def configure(style: str, *, quiet: bool, requests: bool = False) -> None:
    """Log to standard error; `quiet`: warnings and errors only. `requests`: also of each WebSocket."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if style == JSON else TextFormatter())
    if not requests:
        handler.addFilter(_is_no_socket)
    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _is_no_socket(record: logging.LogRecord) -> bool:
    """Return whether a line is not about a WebSocket that opened or closed; uvicorn logs each of these."""
    return record.levelno > logging.INFO or not _SOCKET.search(str(record.msg))


def without_secrets(text: str) -> str:
    """Return a text with an ellipsis in place of each secret."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


def one_line(text: str) -> str:
    """Return a text with its line breaks and other control characters escaped."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


class TextFormatter(logging.Formatter):
    """`2026-05-01 20:15:00,123 INFO branchline.server: warm after 0.8 s`"""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line; what went wrong follows on indented lines."""
        line = f"{self.formatTime(record)} {record.levelname} {record.name}: {one_line(record.getMessage())}"
        if record.exc_info:
            line += "\n" + "\n".join(f"  {part}" for part in self.formatException(record.exc_info).splitlines())
        return without_secrets(line)


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Time in UTC, level, logger, message; for a request its parts."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        fields |= {name: getattr(record, name) for name in _EXTRA if hasattr(record, name)}
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        hidden = {name: without_secrets(value) if isinstance(value, str) else value for name, value in fields.items()}
        return json.dumps(hidden, ensure_ascii=False)
