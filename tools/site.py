"""A hook of MkDocs (`make docs`): pages outside `docs/`, files that pages lead to, and the reference of the API."""

from __future__ import annotations

import posixpath
import re
from importlib import import_module
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
PACKAGES = ("game", "boards", "draw", "bots", "arena", "analysis", "envs")
"""Each has a page of the reference, with the names in its `__all__`."""

_LINK = re.compile(r"(\]\()([^)\s#]+)([^)\s]*\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is not in the folder of documents."""
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for path in [*sorted(ROOT.glob("examples/*")), ROOT / "LICENSE"]:
        if path.is_file():
            files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    for package in PACKAGES:
        files.append(File.generated(config, f"reference/{package}.md", content=_reference(package)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Have links lead where the repository's files are on the site: what is in `docs` is at its root."""
    folder = "" if page.file.src_path in PAGES else "docs"

    def placed(link: re.Match[str]) -> str:
        before, target, after = link.groups()
        if "://" in target or target.startswith("mailto:") or page.file.src_path.startswith("reference/"):
            return link[0]
        found = posixpath.normpath(posixpath.join(folder, target))
        return before + found.removeprefix("docs/") + after

    in_tables = re.sub(
        r"^\|.*\]\[.*", lambda row: row[0].replace("][", "]\\["), markdown, flags=re.MULTILINE
    )  # no links
    return _LINK.sub(placed, in_tables)


def _reference(package: str) -> str:
    module = import_module(f"branchline.{package}")
    lines = [f"# `branchline.{package}`", "", (module.__doc__ or "").strip(), ""]
    for name in sorted(module.__all__, key=str.casefold):
        value = getattr(module, name)
        home = getattr(value, "__module__", "")
        if callable(value) and home.startswith("branchline."):
            lines += [f"::: {home}.{value.__qualname__}", ""]
    return "\n".join(lines)
