"""The error that everything of ours raises for people to put right."""

from __future__ import annotations


class BranchlineError(Exception):
    """Something a person can put right; its text is one clear line (a `BoardError`: one for each fault)."""

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle it as it is: what an error is made of need not be what it keeps."""
        return _raised, (type(self), self.args), vars(self)

    @property
    def message(self) -> str:
        """The text as it was handed over: of a `Message` the pages know how to say it in other languages."""
        return self.args[0] if len(self.args) == 1 and isinstance(self.args[0], str) else str(self)


def _raised(kind: type[BranchlineError], args: tuple[object, ...]) -> BranchlineError:
    return kind.__new__(kind, *args)
