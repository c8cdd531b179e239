// The table of the engine on which a position lies: a board's record, a state and a scratch in the engine's memory.

// Where positions of a board are scored: its tables, a state and a scratch, in the engine's memory. Raises an error when
// the board was made for another engine.
export function tableOf(engine, board) {
  if (board.engine !== engine.said.sources) throw new Error("the board is that of another engine");
  const tables = Uint8Array.from(atob(board.tables), (letter) => letter.charCodeAt(0));
  shared.get(engine) ?? shared.set(engine, { state: engine.record("state"), scratch: engine.record("scratch") });
  return { engine, board, tables: engine.record("board", tables), ...shared.get(engine), trails: new WeakMap() };
}

const shared = new WeakMap(); // engine: {state, scratch}, as one position is scored at a time

// Puts what lies on the table on the state, as the rules have it.
export function layOut({ engine, board, tables, state }, position) {
  const { IN_DECK } = engine.numbers.state;
  state.bytes.fill(0);
  state.field("seats")[0] = position.seats.length;
  engine.call("rules.setup.empty_table", tables, state);
  state.field("ticket_at").fill(IN_DECK, 0, board.tickets.length);
  const colours = tables.field("passenger_colour"); // their numbers, in the order of the board's names
  position.seats.forEach((seat, n) => {
    for (const index of seat.routes) engine.call("rules.routes.own", tables, state, n, index);
    for (const index of seat.tickets) state.field("ticket_at")[index] = n;
    for (const place of seat.stations) engine.call("rules.stations.build", state, n, place);
    for (const place of seat.ports) engine.call("rules.ports.build", state, n, place);
    board.passengers?.colours.forEach((colour, at) => (state.row("passengers", n)[colours[at]] = seat.passengers[colour] ?? 0));
    state.field("route_points")[n] = seat.routePoints ?? seat.routes.reduce((sum, index) => sum + board.routes[index].points, 0);
    state.field("swapped")[n] = seat.swapped;
  });
}

// A position on the board's table, and what the rules of laying out say of it, before another one lies there.
export function laidOut({ table }, position) {
  const { engine, tables, state } = table;
  layOut(table, position);
  const call = (name, ...handed) => engine.call(name, tables, state, ...handed);
  return { call, problem: (kind, seat, index) => problems(engine)[call(`rules.laying.problem_with_${kind}`, seat, index)] };
}

// The names of what can be wrong, by their numbers.
const problems = (engine) => Object.fromEntries(Object.entries(engine.numbers.laying).map(([name, number]) => [number, name]));
