"""How this process runs the rules: on the engine, natively or interpreted; where machine code is kept.

It knows no rule. `mode` decides, when it is imported. `engine` runs the file that comes with the package. All other
modules are about Numba, for who makes that file or wants native code: `compiler` and what it imports.
"""

import os
import sys

OURS = "branchline."
"""Modules whose functions are compiled with less than Numba offers: see `whole_program` and `element_access`.

Functions of others, such as their bots, get all of Numba.
"""

INSTALL = "pip install 'branchline[native]'"
"""What brings Numba."""


def ask_for_native_code() -> None:
    """Have this process run native code, unless it has decided already how it runs the rules."""
    if "branchline.runtime.mode" not in sys.modules:
        os.environ.setdefault("BRANCHLINE_RULES", "native")
