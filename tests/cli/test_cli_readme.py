"""What README and the documents show is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.running import branchline_process

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
DOCUMENTS = sorted([README, *(ROOT / page for page in PAGES), *(ROOT / "docs").glob("*.md")])
ANYTHING = "…"

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def blocks(document: Path, language: str) -> list[str]:
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def called(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own with the examples in it."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BRANCHLINE_BOARDS", raising=False)
    return tmp_path


def sessions(document: Path) -> Iterator[tuple[str, str]]:
    """Commands and what they are shown to print."""
    for block in blocks(document, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def same(shown: str, printed: str) -> bool:
    """Equal but for spaces at the ends of lines; `…` stands for anything, and for everything where nothing is shown."""
    shown, printed = ("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (shown, printed))
    pattern = re.escape(shown).replace(re.escape(ANYTHING), ".*")
    return not shown or re.fullmatch(pattern, printed, re.DOTALL) is not None


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("document", [one for one in DOCUMENTS if blocks(one, "pycon")], ids=called)
def test_sessions_in_python_run_as_shown(document: Path) -> None:
    text = "\n".join(blocks(document, "pycon"))
    example = doctest.DocTestParser().get_doctest(text, {}, document.stem, str(document), 0)
    assert example.examples
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(example, out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize(
    "document", [README, pytest.param(ROOT / "docs" / "command_line.md", marks=pytest.mark.long)], ids=called
)
def test_commands_print_what_is_shown(document: Path, memory: Path) -> None:
    found = list(sessions(document))
    assert found
    for command, shown in found:
        program, *arguments = shlex.split(command)
        assert program == "branchline"
        run = branchline_process(*arguments)
        assert (run.code, run.err) == (0, ""), command
        assert same(shown, run.out), f"{command}\n{run.out}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=called)
def test_links_lead_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        path, _, heading = target.partition("#")
        if "://" in target:
            continue
        there = (document.parent / path).resolve() if path else document
        assert there.exists(), f"{called(document)}: {target} leads nowhere"
        if heading:
            assert heading in headings(there), f"{called(document)}: {target} has no such heading"


def headings(document: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.casefold()).replace(" ", "-") for title in titles}


def test_the_readme_leads_to_every_document() -> None:
    linked = set(LINK.findall(README.read_text(encoding="utf-8")))
    for document in (ROOT / "docs").glob("*.md"):
        assert called(document) in linked, f"README does not lead to {called(document)}"


def test_the_site_leads_to_every_document() -> None:
    """`make docs` finds this as well; it needs MkDocs."""
    listed = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert {document.name for document in DOCUMENTS} <= listed


def test_the_documents_name_no_place_of_some_machine() -> None:
    for document in DOCUMENTS:
        found = re.search(r"(/home/|/root/|/work/|/tmp/|/Users/)\S*", document.read_text(encoding="utf-8"))
        assert found is None, f"{called(document)}: {found and found[0]}"
