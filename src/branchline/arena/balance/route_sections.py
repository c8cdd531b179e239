"""What is shown of the routes of a board: which are claimed, and which are contested."""

from __future__ import annotations

from collections.abc import Mapping

from branchline.arena.balance.cells import Words, percent, sortable
from branchline.arena.balance.figures import Balance, ConnectionFigures, SeatFigures
from branchline.arena.report import plots
from branchline.arena.report.parts import more, soft, table
from branchline.draw import Heat, board_svg
from branchline.draw.page import PAGE

TENTHS = 10  # the hottest step is rounded up to a share of so many parts
FEW_BOTTLENECKS = 8


def used_routes(balance: Balance, full: SeatFigures, words: Words, name: str) -> str:
    """Return a map of how often routes are claimed, and all figures of the connections."""
    shares = {
        line.index: share
        for connection in full.connections
        for line, share in zip(connection.connection.lines, connection.claimed, strict=True)
    }
    texts = {route: words("claimed in {share} of games", share=percent(share)) for route, share in shares.items()}
    title = words("{board}: how often routes are claimed", board=balance.board.title)
    drawn = _heat_map(balance, shares, texts, name + "used", title)
    low, high = words("never claimed"), words("in {share} of games", share=percent(_top(shares)))
    remark = soft(words("With {count} seats. Point at a route to see its value.", count=full.seats))
    tables = "".join(
        more(words("All routes with {count} seats", count=at_seats.seats), _connections(at_seats, words))
        for at_seats in reversed(balance.tables)
    )
    return f"<figure>{drawn}{plots.ramp(low, high)}</figure>{remark}{tables}"


def _connections(seats: SeatFigures, words: Words) -> str:
    head = (
        (words("connection"), False),
        (words("spaces"), True),
        (words("claimed"), True),
        (words("needed"), True),
        (words("contested"), True),
        (words("blocks"), True),
        (words("turn"), True),
        (words("tickets"), True),
        (words("detour"), True),
    )
    rows = []
    for connection in seats.connections:
        lines = connection.connection.lines
        each = " + ".join(percent(share) for share in connection.claimed)
        rows.append(
            (
                connection.connection.name + (f" ×{len(lines)}" if len(lines) > 1 else ""),
                (str(connection.connection.spaces), connection.connection.spaces),
                (each, sum(connection.claimed)),
                (percent(connection.needed), connection.needed),
                (percent(connection.contested), connection.contested),
                (percent(connection.blocking), connection.blocking),
                (
                    "–" if connection.turn is None else f"{connection.turn:.0f}",
                    -1 if connection.turn is None else connection.turn,
                ),
                (f"{connection.load:.1f}", connection.load),
                _detour(connection),
            )
        )
    return sortable(head, rows, words("Connections"))


def _detour(connection: ConnectionFigures) -> tuple[str, float]:
    return ("∞", 1000.0) if connection.detour is None else (f"+{connection.detour}", connection.detour)


def contested_routes(balance: Balance, full: SeatFigures, words: Words, name: str) -> str:
    """Return a map of the routes that several seats need, and the bottlenecks."""
    shares = {
        line.index: connection.contested for connection in full.connections for line in connection.connection.lines
    }
    texts = {route: words("contested in {share} of games", share=percent(share)) for route, share in shares.items()}
    title = words("{board}: how often routes are contested", board=balance.board.title)
    drawn = _heat_map(balance, shares, texts, name + "contested", title)
    low, high = words("never contested"), words("in {share} of games", share=percent(_top(shares)))
    worst = sorted(full.connections, key=lambda connection: -connection.contested)[:FEW_BOTTLENECKS]
    rows = [
        (
            connection.connection.name,
            percent(connection.contested),
            percent(connection.blocking),
            _detour(connection)[0],
            f"{connection.load:.1f}",
        )
        for connection in worst
        if connection.contested > 0
    ]
    head = (words("bottleneck"), words("contested"), words("blocks"), words("detour"), words("tickets"))
    return (
        f"<figure>{drawn}{plots.ramp(low, high)}</figure>"
        + (table(head, rows) if rows else "")
        + soft(
            words(
                "With {count} seats. A seat needs a connection while the plan for its tickets uses it. A "
                "connection is contested in a game if at some moment more seats need it than it has free "
                "lines; it blocks when a claim leaves none for a seat that needed it. “Detour” is the number "
                "of extra spaces from end to end without it.",
                count=full.seats,
            )
        )
    )


def _heat_map(balance: Balance, shares: Mapping[int, float], texts: Mapping[int, str], name: str, title: str) -> str:
    top = _top(shares)
    heat = Heat(name, {route: share / top for route, share in shares.items()}, texts)
    return board_svg(balance.board, theme=PAGE, style=False, heat=heat, title=title)


def _top(shares: Mapping[int, float]) -> float:
    """Return the upper end of the scale: the largest share, rounded up."""
    return max(1, -int(-max(shares.values(), default=0.0) * TENTHS // 1)) / TENTHS
