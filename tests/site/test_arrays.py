"""The arrays and random numbers that stand in for NumPy in browsers do the same as NumPy."""

from __future__ import annotations

import ast
import pickle
from typing import Any

import numpy as np
import pytest

from branchline.bots.networks import value
from branchline.rules.state import STATE, State
from branchline.runtime.structs import layout
from branchline.site import arrays, building, random_numbers

# fmt: off
# ruff: noqa: E501
EXPRESSIONS = (
    "x[:, 1]", "x[..., 2]", "x.T", "x[:, None].shape", "x[[0, 1], [1, 2]]", "x[:, [0, 2], 1:]", "x[x > 5]", "x[::-1, 0]",
    "x.sum(axis=1)", "x.sum(axis=(0, 2))", "x.cumsum(axis=2)", "x.mean()", "x.var()", "x.std(axis=0, ddof=1)",
    "x.max(axis=-1, keepdims=True)", "(x - 7) ** 2 / 3", "1 - x", "-x % 5", "x // 4", "x.argmin(axis=2)", "x.argmax()",
    "np.concatenate([x, x], axis=1)", "np.stack([x, x], axis=-1)", "np.hstack([x[0], x[0]])", "x[0] @ x[1].T",
    "np.sort(-x, axis=1)", "np.argsort(-x, axis=0)", "np.where(x > 3, x, 0)", "np.delete(x, 1, axis=2)",
    "np.delete(x, slice(1, 3), axis=2)", "np.delete(k, -1)", "np.delete(k, [0, 2])", "np.delete(k, k == 2)",
    "np.linspace(0, 1, 5)", "np.arange(3, 11, 2)", "np.quantile(x, [0.1, 0.5, 0.77], axis=0)", "np.median(x)",
    "np.repeat(x, [1, 2, 0], axis=1)", "np.tile(x[0], (2, 1))", "np.diff(x, axis=0)", "np.argwhere(x > 20)",
    "np.hypot(x, 3)", "np.exp(x / 9)", "np.log(x + 1)", "np.clip(x, 3, 9)", "np.maximum(x, 4)", "np.round(x / 7, 2)",
    "np.bincount(k)", "np.bincount(k, weights=k / 2, minlength=9)", "np.unique(k)", "np.unique(k, return_counts=True)[1]",
    "np.searchsorted(np.sort(k), [0, 2, 9])", "np.flatnonzero(k == 2)", "np.isfinite(x)", "k & 1", "k >> 1", "~k",
    "np.roll(k, 2)", "np.meshgrid(k, k)[1]", "np.lexsort([k, -k])", "np.triu_indices(4, 1)[0]", "np.ptp(x, axis=2)",
    "np.isin(x, [3, 7])", "np.diff(k, prepend=-1)", "np.add.reduceat(x[0], [0, 2], axis=0)", "np.int8(200)", "k.astype(np.float32) / 3", "np.add.reduceat(x[0], [0, 2])", "np.abs(k - 3)", "np.eye(3)",
    "np.log10(x + 1)", "np.histogram(k, np.linspace(0, 6, 4))[0]", "np.histogram(k, np.array([1.5, 2, 3]))[0]",
    "x[:, ::-1, 1:3] * 2", "x[:, :, None, 0] - k", "x.T[1] + 1", "x[:, 1][::-1]", "x[:, [2, 0], 1:]", "k[::-2] + k[:3]",
    "x.reshape(4, -1)", "x.transpose(2, 0, 1)", "np.full((2, 2), 7)", "np.array([[1, 2], [3, 4]]).dot(np.array([1, 1]))",
)
# fmt: on


WITHOUT = ("site/", "arena/ratings.py", "arena/rounds.py", "arena/evolution.py", "bots/networks/policy_networks.py")
"""Parts of the package that need more of NumPy: tournaments, tuning and training are no pages."""


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_is_computed_is_what_numpy_computes(expression: str) -> None:
    ours = eval(expression, {"np": arrays, "x": _cube(arrays), "k": _row(arrays)})
    with np.errstate(all="ignore"):
        theirs = eval(expression, {"np": _Numpy(), "x": _cube(np), "k": _row(np)})
    assert _flat(ours) == pytest.approx(_flat(theirs), rel=1e-12)


def _cube(library: Any) -> Any:
    return library.arange(24.0).reshape(2, 3, 4)


def _row(library: Any) -> Any:
    return library.array([3, 1, 2, 2, 6])


class _Numpy:
    """NumPy, with old ways of making a number fit."""

    def __getattr__(self, name: str) -> Any:
        return (lambda number: np.array(number).astype(np.int8)) if name == "int8" else getattr(np, name)


def _flat(thing: Any) -> list[Any]:
    if isinstance(thing, tuple):
        return list(thing)
    return thing.ravel().tolist() if hasattr(thing, "ravel") else [thing]


def test_reals_are_summed_to_the_last_bit_as_numpy_does() -> None:
    numbers = np.random.default_rng(5).random(1000)
    for count in (1, 7, 8, 100, 129, 1000):
        assert arrays.array(numbers[:count].tolist()).sum() == numbers[:count].sum()


def test_elements_are_set_as_numpy_sets_them() -> None:
    ours, theirs = _cube(arrays), _cube(np)
    for array in (ours, theirs):
        array[:, 1] = 5
        array[0, [0, 2], 1:3] = [[1, 2], [3, 4]]
        array[array > 20] = 0
        array += 1
    assert ours.tolist() == theirs.tolist()
    with pytest.raises(OverflowError):
        arrays.zeros(2, arrays.int8)[0] = 300
    with pytest.raises(IndexError):
        ours[2]


def test_records_lie_as_they_do_in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = [(name, STATE.fields[name][0].base.str, STATE.fields[name][0].shape) for name in STATE.names or ()]  # type: ignore[index]
    ours = arrays.dtype(fields, align=True)
    assert ours.itemsize == layout(State).itemsize
    assert {name: at for name, (_, at) in (ours.fields or {}).items()} == {
        name: STATE.fields[name][1] for name in STATE.names or ()  # type: ignore[index]
    }  # fmt: skip
    memory = bytearray(ours.itemsize)
    one = arrays.ndarray(1, ours, memory)
    one["hand"][0, 2, 3] = 7
    theirs = np.frombuffer(memory, STATE)
    assert theirs["hand"][0, 2, 3] == 7
    assert one[0]["hand"].sum() == 7
    one[:] = 0
    assert theirs.tobytes() == bytes(ours.itemsize)


def test_pseudo_inverses_of_symmetric_matrices_are_those_of_numpy() -> None:
    parts = np.array([[1, *(float(n * k % 5 == 0) for k in range(1, 8))] for n in range(30)])
    parts[:, 7] = 1 - parts[:, 1]  # which says nothing new
    square = parts.T @ parts
    theirs = np.linalg.pinv(square, hermitian=True)
    ours = np.array(arrays.linalg.pinv(arrays.array(square.tolist())).tolist())
    assert np.abs(square @ ours @ square - square).max() < 1e-9
    assert np.abs(ours - theirs).max() < 1e-9


def test_eigenvectors_of_symmetric_matrices_are_those_of_numpy() -> None:
    square = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]])
    values, vectors = arrays.linalg.eigh(arrays.array(square.tolist()))
    theirs, columns = np.linalg.eigh(square)
    assert values.tolist() == pytest.approx(theirs.tolist())
    assert np.abs(np.array(vectors.tolist())) == pytest.approx(np.abs(columns))


def test_whatever_the_program_uses_of_numpy_is_there() -> None:
    lacks = {
        f"{name}:{node.lineno} np.{node.attr}"
        for file in sorted(building.PACKAGE.rglob("*.py"))
        if not (name := file.relative_to(building.PACKAGE).as_posix()).startswith((*building.LEFT_OUT, *WITHOUT))
        if "np." in (text := file.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
        if not hasattr(arrays, node.attr) and node.attr != "random"
    }
    assert lacks == set()


@pytest.mark.parametrize("count", (2, 20, 100))
def test_draws_with_replacement_are_those_of_numpy(count: int) -> None:
    chances = np.full(count, 1 / count)
    ours = random_numbers.default_rng(count).multinomial(count, chances, size=30)
    assert ours.tolist() == np.random.default_rng(count).multinomial(count, chances, size=30).tolist()


def test_what_is_pickled_comes_back_as_it_was() -> None:
    records = arrays.zeros(2, arrays.dtype([("n", "i4"), ("many", "i2", (3,))], align=True))
    records["many"][1] = 7
    for array in (records, records[0], records.dtype, arrays.arange(6).reshape(2, 3), arrays.zeros(2, bool)):
        there = pickle.loads(pickle.dumps(array))
        assert type(there) is type(array)
        assert there == array if isinstance(array, arrays.dtype) else there.dtype == array.dtype
        assert isinstance(array, arrays.dtype) or there.tobytes() == array.tobytes()


def test_files_of_networks_are_read_as_numpy_reads_them() -> None:
    ours, theirs = arrays.load(value.FILE), np.load(value.FILE)
    assert sorted(ours.files) == sorted(theirs.files)
    for name in theirs.files:
        assert ours[name].tobytes() == theirs[name].tobytes()


@pytest.mark.parametrize("seed", (0, 5, [1, 2], 1 << 150))
def test_random_numbers_are_those_of_numpy(seed: Any) -> None:
    ours, theirs = random_numbers.default_rng(seed), np.random.default_rng(seed)
    for _ in range(20):
        assert ours.integers(1 << 60) == theirs.integers(1 << 60)
        assert ours.integers(3, 10) == theirs.integers(3, 10)
        assert ours.random() == theirs.random()
    assert ours.integers(0, 7, (3, 4)).tolist() == theirs.integers(0, 7, (3, 4)).tolist()
    assert ours.permutation(10).tolist() == theirs.permutation(10).tolist()
