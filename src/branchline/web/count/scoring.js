// The end, as the rules score it: the engine counts, and here its score sheet is read.

import { layOut } from "../core/browser/desk/table.js";
import { start } from "../core/browser/desk/words.js";

// Every component of each seat, what each ticket, station and port came to, and who has won.
export function scored({ table }, position) {
  const { engine, tables, state, scratch } = table;
  layOut(table, position);
  engine.call("rules.scoring.score", tables, state, scratch);
  const seats = position.seats.map((seat, n) => seatScore(table, position, seat, n));
  const winners = seats.map((_, n) => n).filter((n) => scratch.field("winner")[n]);
  return { seats, winners, decided: decided(table, seats, winners[0]) };
}

function seatScore(table, position, seat, n) {
  const { engine, board, tables, state, scratch } = table;
  const of = (field) => scratch.field(field)[n];
  const { FAILED, IN_ORDER } = engine.numbers.state;
  const tickets = seat.tickets.map((index) => {
    const result = scratch.field("ticket_result")[index];
    const points = engine.call("rules.scoring.points_of", tables, index, result);
    return { ticket: board.tickets[index], done: result !== FAILED, inOrder: result === IN_ORDER, points };
  });
  const borrowed = [...seat.stations].sort((a, b) => a - b).map((place, at) => ({ place, route: board.routes[scratch.row("borrowed", n)[at]] ?? null }));
  const built = seat.ports.map((place) => {
    const naming = engine.call("rules.scoring.tickets_naming", tables, state, scratch, n, place);
    return { place, naming, points: engine.call("rules.scoring.points_of_port", tables, naming) };
  });
  return {
    parts: Object.fromEntries(Object.keys(start.parts).map((key, part) => [key, scratch.row("parts", part)[n]])),
    total: of("total"),
    tickets,
    borrowed,
    built,
    trail: { spaces: of("trail"), get routes() { return trailOf(table, position, n); } }, // not looked for before it is shown
    ticketsDone: of("tickets_done"),
    stationsBuilt: seat.stations.length,
  };
}

// The routes of one longest trail.
function trailOf(table, position, n) {
  const { engine, board, tables, state, scratch, trails } = table;
  const { routes } = position.seats[n]; // a list that never changes
  if (!board.trail) return [];
  if (!trails.has(routes)) {
    layOut(table, position);
    engine.call("rules.trail.keep_longest", tables, state, scratch, n);
    const kept = scratch.field("own").subarray(0, scratch.field("own_count")[0]);
    trails.set(routes, Array.from(kept, (index) => board.routes[index]));
  }
  return trails.get(routes);
}

// What decided among those with most points: the ties that were looked at, as {tie, values by seat}, the last of which
// told; none where points did, and all where even they did not.
function decided({ engine, board, tables, state, scratch }, seats, winner) {
  let level = seats.map((_, n) => n).filter((n) => seats[n].total === seats[winner].total);
  const looked = [];
  for (const [at, tie] of board.ties.entries()) {
    if (level.length < 2) break;
    const values = level.map((n) => engine.call("rules.scoring.tie_break", state, scratch, n, tables.field("ties")[at]));
    looked.push({ tie, values: level.map((seat, m) => ({ seat, value: Math.abs(values[m]) })) });
    level = level.filter((_, m) => values[m] === Math.max(...values));
  }
  return looked;
}
