"""`python -m branchline.engine`: makes the engine anew from the sources of the rules and the bots."""

from __future__ import annotations

import os
import sys

os.environ["BRANCHLINE_RULES"] = "building"  # before anything asks how rules are run


def main() -> None:
    """Write `runtime/engine.wasm`, and say how large it is."""
    import gzip

    from branchline.errors import BranchlineError

    try:
        from branchline.runtime import mode  # noqa: F401  it says so where Numba is missing
    except BranchlineError as error:
        sys.exit(f"branchline.engine: {error}")
    from branchline.engine.building import BuildError, build
    from branchline.runtime.engine_file import FILE
    from branchline.whole_file import write_whole

    try:
        content = build()
    except BuildError as error:
        sys.exit(f"branchline.engine: {error}")
    write_whole(FILE, content)
    print(f"{FILE}: {len(content):,} bytes, {len(gzip.compress(content, 9, mtime=0)):,} gzipped")


if __name__ == "__main__":
    main()
