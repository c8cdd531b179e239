"""`python -m branchline.web.reference`: writes the tables of `docs/web.md` from the code.

The mark before each of them says what it lists, such as `<!-- routes -->`.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from starlette.routing import BaseRoute

from branchline import web
from branchline.documents import rewritten
from branchline.web.core.http.protocol import ANSWERS, DOINGS
from branchline.web.core.settings import Settings
from branchline.web.page_app import make_page_app

PAGE = Path(__file__).parents[3] / "docs" / "web.md"

_WEB = f"{web.__name__}."


def page(written: str) -> str:
    """Return the page with its tables anew, and all that is written by hand as it is."""
    tables = {"routes": _routes, "contexts": _contexts, "from browsers": _from_browsers, "to browsers": _to_browsers}
    return rewritten(written, lambda name: tables[name]())


def _routes() -> Iterator[str]:
    yield "| address | | answered by |\n|---|---|---|"
    with TemporaryDirectory() as folder:
        app = make_page_app(Settings(database=f"sqlite:///{folder}/rooms.sqlite", warm_up=False))
        app.state.server.store.close()
    for route in app.routes:
        if handler := getattr(route, "endpoint", None):
            yield f"| `{_address(route)}` | {_said(handler)} | `{handler.__module__.removeprefix(_WEB)}` |"


def _address(route: BaseRoute) -> str:
    (method,) = set(getattr(route, "methods", None) or {"WebSocket"}) - {"HEAD"}
    return f"{method} {re.sub(r':[a-z]+}', '}', getattr(route, 'path', ''))}"


def _contexts() -> Iterator[str]:
    yield "| context | holds | pages and parts of pages |\n|---|---|---|"
    made: dict[str, list[str]] = {}
    contexts: dict[str, tuple[str, object]] = {}
    for module in _modules():
        for name, found in vars(module).items():
            if getattr(found, "__module__", "") != module.__name__ or name.startswith("_"):
                continue
            if inspect.isclass(found) and name.endswith("Context"):
                contexts[name] = (_short(module), found)
            elif inspect.isfunction(found) and re.search(r"(page|joining|messages)$", module.__name__):
                made.setdefault(_shown(found), []).append(f"`{_short(module)}.{name}`")
    for name, (place, context) in contexts.items():
        yield f"| `{place}.{name}` | {_said(context)} | {', '.join(made.get(name, ()))} |"


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(web.__path__, _WEB):
        if not re.search(r"\.(migrations|serving|extract_messages|reference|app)\b", found.name):
            yield import_module(found.name)


def _short(module: ModuleType) -> str:
    return module.__name__.removeprefix(_WEB)


def _shown(function: object) -> str:
    """Return the context from which a function makes a page or a part of it, its first argument; empty: it makes
    none.
    """
    first = next(iter(inspect.signature(function).parameters.values()), None)  # type: ignore[arg-type]
    return str(first.annotation) if first and re.fullmatch(r"\w+Context", str(first.annotation)) else ""


def _from_browsers() -> Iterator[str]:
    yield "| `do` | fields | |\n|---|---|---|"
    for do, doing in DOINGS.items():
        yield f"| `{do}` | {', '.join(f'`{name}`' for name in doing.fields)} | {doing.meaning} |"


def _to_browsers() -> Iterator[str]:
    yield "| keys | |\n|---|---|"
    for answer in ANSWERS:
        yield f"| {', '.join(f'`{name}`' for name in answer.__annotations__)} | {_said(answer)} |"


def _said(described: object) -> str:
    """Return the first paragraph of a docstring, as a cell."""
    said = (inspect.getdoc(described) or "").partition("\n\n")[0]
    return " ".join(said.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
