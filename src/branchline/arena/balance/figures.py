"""The figures of a board: what the games say of its routes, its tickets and its seats.

Shares are 0 … 1, points and turns those of one seat, unless it is said otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from branchline.arena import statistics
from branchline.arena.balance.games import AtSeats
from branchline.arena.balance.network import Connection, Network
from branchline.arena.balance.tickets import TicketFigures, ticket_figures
from branchline.arena.results import COMPONENTS, Order, Standing
from branchline.arena.statistics import Estimate, Numbers
from branchline.arena.watching import BLOCKED, BLOCKER, UNIT, Tally
from branchline.boards import Board
from branchline.plain_data import JsonObject

DIGITS = 4  # of the figures that boards are compared by, as they are kept
RARE = 0.05  # a route claimed in fewer games than this is called unused


@dataclass(frozen=True)
class ConnectionFigures:
    """How a connection, the parallel lines between two places, was used with one number of seats."""

    connection: Connection
    claimed: tuple[float, ...]  # of each line: share of games in which it was claimed
    used: float  # share of games in which some line was claimed
    needed: float  # … in which some seat's plan led over it
    contested: float  # … in which at some moment more seats needed it than lines were left
    blocking: float  # … in which a claim of it blocked somebody
    turn: float | None  # of a seat, the mean, when it was claimed
    load: float  # tickets whose shortest ways lead over it
    detour: int | None  # spaces more it takes without it; None: its ends cannot be joined then

    def as_dict(self) -> JsonObject:
        """Return the figures of a connection as data for JSON."""
        return {
            "route": self.connection.name,
            "lines": [
                {"route": line.index, "colour": line.colour, "kind": line.kind, "claimed": round(share, 4)}
                for line, share in zip(self.connection.lines, self.claimed, strict=True)
            ],
            "spaces": self.connection.spaces,
            "used": round(self.used, 4),
            "needed": round(self.needed, 4),
            "contested": round(self.contested, 4),
            "blocking": round(self.blocking, 4),
            "turn": None if self.turn is None else round(self.turn, 2),
            "load": round(self.load, 2),
            "detour": self.detour,
        }


@dataclass(frozen=True)
class BlockingPart:
    """How the seats did that had a part in blocking: those that blocked somebody, or that were blocked."""

    seats: int  # how many there were, over all games
    won: float  # victories of one of them, for those of any seat: 1 is what every seat would have
    lead: float  # points above the mean of the table

    def as_dict(self) -> JsonObject:
        """Return the part as data for JSON."""
        return {"seats": self.seats, "won": round(self.won, 4), "lead": round(self.lead, 2)}


@dataclass(frozen=True)
class SeatFigures:
    """What the games with one number of seats say."""

    seats: int
    games: int
    turns: Estimate
    score: Estimate
    spread: float  # standard deviation of the scores
    quantiles: tuple[float, float, float]  # of the scores: 5, 50 and 95 %
    margin: float  # points between the first and the second, the mean
    sources: dict[str, float]  # mean points of a seat by source
    tickets_held: float
    tickets_done: float
    order: tuple[Order, ...]
    connections: tuple[ConnectionFigures, ...]
    contested: float  # connections of a game, the mean
    blocked: float  # how often somebody was blocked, in a game
    passing: float  # share of the claims that did it over a route that the claimer needed itself
    detour: float  # spaces more that a blocked seat's plan took, the mean of those that gave up no ticket
    dropped: float  # tickets given up for each time that a seat was blocked
    blockers: BlockingPart
    victims: BlockingPart
    races: int  # games with a racer
    racer: Standing | None
    rivals: Standing | None  # the planners at its tables
    race_turns: Estimate
    scores: Numbers = field(repr=False)  # of all seats of all games
    lengths: Numbers = field(repr=False)  # turns of a seat in each game

    @property
    def first(self) -> Order:
        """Who plays first."""
        return self.order[0]

    def keyed(self) -> dict[str, float]:
        """Return the figures by which boards are compared: see `ranges.NAMES`."""
        gains = {part: max(0.0, value) for part, value in self.sources.items()}
        whole = sum(gains.values()) or 1.0
        values = {
            "turns": self.turns.mean,
            "score": self.score.mean,
            "spread": self.spread,
            "margin": self.margin,
            "first_wins": self.first.win_share.mean * self.seats,
            "first_lead": self.first.advantage.mean,
            "last_wins": self.order[-1].win_share.mean * self.seats,
            "contested": self.contested,
            "blocked": self.blocked,
            "passing": self.passing,
            "detour": self.detour,
            "dropped": self.dropped,
            "blocker_wins": self.blockers.won,
            "victim_wins": self.victims.won,
            "used": float(np.mean([share for connection in self.connections for share in connection.claimed])),
            "unused": float(np.mean([connection.used < RARE for connection in self.connections])),
            "tickets_held": self.tickets_held,
            "tickets_done": self.tickets_done / max(1e-9, self.tickets_held),
            **{f"from_{part}": value / whole for part, value in gains.items()},
        }
        if self.racer is not None:
            values["racer_wins"] = self.racer.win_share.mean * self.seats
        return {name: round(value, DIGITS) for name, value in values.items()}

    def as_dict(self) -> JsonObject:
        """Return the figures as data for JSON."""
        return {
            "seats": self.seats,
            "games": self.games,
            "turns": self.turns.as_dict(),
            "score": self.score.as_dict(),
            "spread": round(self.spread, 2),
            "quantiles": list(self.quantiles),
            "margin": round(self.margin, 2),
            "sources": {part: round(value, 3) for part, value in self.sources.items()},
            "tickets_held": round(self.tickets_held, 3),
            "tickets_done": round(self.tickets_done, 3),
            "order": [place.as_dict() for place in self.order],
            "contested": round(self.contested, 3),
            "blocked": round(self.blocked, 3),
            "passing": round(self.passing, 4),
            "detour": round(self.detour, 2),
            "dropped": round(self.dropped, 4),
            "blockers": self.blockers.as_dict(),
            "victims": self.victims.as_dict(),
            "races": self.races,
            "racer": self.racer.as_dict() if self.racer else None,
            "rivals": self.rivals.as_dict() if self.rivals else None,
            "race_turns": self.race_turns.as_dict(),
            "connections": [connection.as_dict() for connection in self.connections],
        }


@dataclass(frozen=True, eq=False)
class Balance:
    """How a board plays. One equals none but itself, so that pages made of it can be kept."""

    board: Board
    network: Network
    seed: int
    asked: int  # games at each number of seats
    seconds: float
    stopped: bool
    bot: str  # who played, with the weights
    tables: tuple[SeatFigures, ...]  # one for each number of seats of which a game was played
    tickets: tuple[TicketFigures, ...]

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(table.games + table.races for table in self.tables)

    def keyed(self) -> dict[str, float]:
        """Return the figures of the map and the tickets by which boards are compared: see `ranges.NAMES`."""
        network, tickets = self.network, self.tickets
        values: dict[str, float | None] = {
            "crowded": float(len(network.crowded(self.board.seats[1]))),
            "traffic": network.traffic,
            "idle": network.idle,
            "pieces": network.pieces,
            "longest_ticket": network.longest_ticket,
        }
        offered = [ticket for ticket in tickets if ticket.offered]
        held = [ticket for ticket in tickets if ticket.held]
        if offered and held:
            values["kept"] = sum(ticket.kept for ticket in offered) / sum(ticket.offered for ticket in offered)
            values["never_kept"] = float(sum(ticket.never_kept for ticket in tickets))
            values["done"] = sum(ticket.done for ticket in held) / sum(ticket.held for ticket in held)
            values["net"] = float(np.median([ticket.net.mean for ticket in tickets if ticket.net is not None] or [0.0]))
            off = [abs(ticket.off.mean) for ticket in tickets if ticket.off is not None]
            if off:
                values["off"] = float(np.mean(off))
        return {name: round(value, DIGITS) for name, value in values.items() if value is not None}

    def as_dict(self) -> JsonObject:
        """Return everything for JSON."""
        return {
            "board": self.board.id,
            "board_digest": self.board.digest,
            "rules_version": self.board.rules_version,
            "bot": self.bot,
            "seed": self.seed,
            "games_asked": self.asked,
            "games": self.games,
            "seconds": round(self.seconds, 1),
            "stopped": self.stopped,
            "intervals": statistics.METHOD,
            "map": self.keyed(),
            "crowded": [connection.name for connection in self.network.crowded(self.board.seats[1])],
            "tables": [table.as_dict() for table in self.tables],
            "tickets": [ticket.as_dict() for ticket in self.tickets],
        }


def figures(played: Sequence[AtSeats]) -> Balance:
    """Return the figures from the games."""
    results = played[0].results
    network = Network(results.board)
    return Balance(
        board=results.board,
        network=network,
        seed=results.seed,
        asked=results.asked,
        seconds=max(table.results.seconds for table in played),
        stopped=any(table.results.stopped for table in played),
        bot=", ".join(dict.fromkeys(_said(table) for table in played)),
        tables=tuple(_at_seats(table, network) for table in played if table.results.played),
        tickets=ticket_figures(network, [table for table in played if table.results.played]),
    )


def _said(table: AtSeats) -> str:
    name = table.results.bots[0]
    weights = table.results.weights.get(name)
    return f"{name} ({weights.origin} weights)" if weights is not None else name


def _at_seats(table: AtSeats, network: Network) -> SeatFigures:
    results, tally, race = table.results, table.tally, table.race
    standing = results.standings[0]
    total = results.column("total").astype(float)
    ranked = np.sort(total, axis=1)
    claims = int(tally["passing"] + tally["barging"])
    blocked = int(tally["blockings"])
    replanned = max(1, int(tally["replanned"]))
    standings = {standing.bot: standing for standing in race.standings} if race.played else {}
    connections = tuple(_connection(table, network, n) for n in range(len(network.connections)))
    low, middle, high = np.quantile(total, (0.05, 0.5, 0.95))
    return SeatFigures(
        seats=table.seats,
        games=results.played,
        turns=results.turns,
        score=standing.score,
        spread=float(total.std()),
        quantiles=(float(low), float(middle), float(high)),
        margin=float(np.mean(ranked[:, -1] - ranked[:, -2])) if table.seats > 1 else 0.0,
        sources={part: standing.components[part] for part in COMPONENTS},
        tickets_held=standing.tickets_held,
        tickets_done=standing.tickets_done,
        order=results.order,
        connections=connections,
        contested=sum(connection.contested for connection in connections),
        blocked=blocked / results.played,
        passing=float(tally["passing"]) / max(1, claims),
        detour=float(tally["detour"]) / replanned,
        dropped=float(tally["dropped"]) / replanned,
        blockers=_part(tally, BLOCKER, table.seats),
        victims=_part(tally, BLOCKED, table.seats),
        races=race.played,
        racer=standings.get(race.bots[0]),
        rivals=standings.get(race.bots[-1]),
        race_turns=race.turns,
        scores=results.column("total").ravel(),
        lengths=np.ceil(results.column("turns") / table.seats),
    )


def _part(tally: Tally, part: int, seats: int) -> BlockingPart:
    count = int(tally["seats"][part])
    won = float(tally["won"][part]) / UNIT / max(1, count)
    return BlockingPart(count, won * seats, float(tally["lead"][part]) / seats / max(1, count))


def _connection(table: AtSeats, network: Network, n: int) -> ConnectionFigures:
    connection, tally, games = network.connections[n], table.tally, table.results.played
    lines = [line.index for line in connection.lines]
    claims = int(tally["claimed"][lines].sum())
    owned = table.results.games["route_owner"][:, lines] >= 0
    return ConnectionFigures(
        connection=connection,
        claimed=tuple(float(share) for share in owned.mean(axis=0)),
        used=float(owned.any(axis=1).mean()),
        needed=float(tally["needed"][connection.index]) / games,
        contested=float(tally["contested"][connection.index]) / games,
        blocking=float(tally["blocking"][connection.index]) / games,
        turn=float(tally["claimed_at"][lines].sum()) / claims if claims else None,
        load=network.load[n],
        detour=network.detour(connection),
    )
