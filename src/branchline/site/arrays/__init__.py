"""What the program uses of NumPy, in plain Python, for browsers: there is no NumPy for Pyodide on PyPI or npm.

`begin.numpy_stands_in` puts this package in its place. Arrays are views of bytes with a shape and strides, as NumPy's
are, so that records in the engine's memory are read and written without copies. What is computed with whole arrays is
computed number by number: right, and slow, which is fine for what a page needs. `tests/site/test_arrays.py` compares
all of it with NumPy itself.
"""

from branchline.site.arrays.array_type import *  # noqa: F403
from branchline.site.arrays.files import *  # noqa: F403
from branchline.site.arrays.functions import *  # noqa: F403
from branchline.site.arrays.joining import *  # noqa: F403
from branchline.site.arrays.making import *  # noqa: F403
from branchline.site.arrays.number_types import *  # noqa: F403
from branchline.site.arrays.number_types import __version__ as __version__
from branchline.site.arrays.plain_numbers import *  # noqa: F403
