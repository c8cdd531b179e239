// What lies on the table at the end, as the page changes it: a value of which every change makes another one.
//
// A seat holds routes, tickets, stations and ports by their index. What the pieces of the game make impossible is a
// `Refusal`, which says why; what only breaks a rule of play is done, and stands among the notes. Both are those of
// `branchline score`.

export const MOST_SWAPPED = 2000;

// `key` is one of the page's sentences, `fields` what stands in it.
export class Refusal extends Error {
  constructor(key, fields = {}) {
    super(key);
    this.key = key;
    this.fields = fields;
  }
}

export const emptySeat = (name) => ({ name, routes: [], tickets: [], stations: [], ports: [], passengers: {}, swapped: 0, routePoints: null });

export const emptyPosition = (names) => ({ seats: names.map(emptySeat) });

export function ownerOf(position, kind, index) {
  return position.seats.findIndex((seat) => seat[kind].includes(index));
}

const changed = (position, seat, some) => ({ seats: position.seats.map((one, n) => (n === seat ? { ...one, ...some } : one)) });

export const without = (position, seat, kind, index) =>
  changed(position, seat, { [kind]: position.seats[seat][kind].filter((one) => one !== index) });

const withOne = (position, seat, kind, index) => changed(position, seat, { [kind]: [...position.seats[seat][kind], index] });

// ------------------------------------------------------------------------------------------------ routes

// A route taken; `line`: this line and no other of its set.
export function withRoute(board, position, seat, index) {
  const route = board.routes[index];
  const { name, routes } = position.seats[seat];
  const owner = ownerOf(position, "routes", index);
  if (owner >= 0 && owner !== seat) throw new Refusal("taken", { route: route.name, name: position.seats[owner].name });
  if (board.setOf(route).some((line) => routes.includes(line.index))) throw new Refusal("twice", { route: route.name, name });
  const after = withOne(position, seat, "routes", index);
  checkPieces(board, after.seats[seat]);
  return after;
}

// Pieces of each kind that a seat has on the board.
export function piecesUsed(board, seat) {
  const used = board.pieces.count.map(() => 0);
  for (const index of seat.routes) used[board.routes[index].piece] += board.routes[index].length;
  return used;
}

function checkPieces(board, seat) {
  const used = piecesUsed(board, seat);
  used.forEach((count, kind) => {
    const most = board.pieces.count[kind];
    if (count > most) throw new Refusal("pieces", { name: seat.name, count, most, pieces: board.pieces.said[kind] });
  });
  const count = used.reduce((sum, one) => sum + one, 0);
  const most = board.pieces.fleet;
  if (most && count > most) throw new Refusal("fleet", { name: seat.name, count, most });
}

// ------------------------------------------------------------------------------------------------ all else

export function withTicket(board, position, seat, index) {
  const owner = ownerOf(position, "tickets", index);
  if (owner >= 0) throw new Refusal("ticket_taken", { ticket: board.tickets[index].name, name: position.seats[owner].name });
  return withOne(position, seat, "tickets", index);
}

// `kind`: stations or ports.
export function withBuilding(board, position, seat, kind, index) {
  const place = board.places[index];
  const { name } = position.seats[seat];
  if (kind === "stations" ? place.kind !== "city" : !place.port) throw new Refusal(`no_${kind}_here`, { place: place.name });
  const owner = ownerOf(position, kind, index);
  if (owner >= 0) throw new Refusal(`${kind}_taken`, { place: place.name, name: position.seats[owner].name });
  if (position.seats[seat][kind].length >= board[kind].count) throw new Refusal(`most_${kind}`, { name, most: board[kind].count });
  return withOne(position, seat, kind, index);
}

export function withPassengers(board, position, seat, colour, count) {
  const after = changed(position, seat, { passengers: { ...position.seats[seat].passengers, [colour]: count } });
  const all = after.seats.reduce((sum, one) => sum + (one.passengers[colour] ?? 0), 0);
  if (all > board.passengers.each) throw new Refusal("passengers", { colour: board.passengers.said[colour], count: all, most: board.passengers.each });
  return count < 0 ? position : after;
}

export function withSwapped(position, seat, count) {
  return count < 0 || count > MOST_SWAPPED ? position : changed(position, seat, { swapped: count });
}

export function withName(position, seat, name) {
  const clean = [...name.replace(/\s+/g, " ").trim()].slice(0, 40).join(""); // whole letters: an emoji is two halves
  if (!clean) throw new Refusal("no_name");
  if (position.seats.some((one, n) => n !== seat && one.name === clean)) throw new Refusal("same_name", { name: clean });
  return changed(position, seat, { name: clean });
}

export const withRoutePoints = (position, seat, routePoints) => changed(position, seat, { routePoints });

// What breaks a rule of play, and is counted all the same.
export function notesOn(board, position) {
  const notes = [];
  const seats = position.seats.length;
  for (const route of board.routes) {
    const lines = board.setOf(route);
    const taken = lines.filter((line) => ownerOf(position, "routes", line.index) >= 0).length;
    if (lines[0] === route && taken > 1 && seats <= board.oneLineUpTo) notes.push(["one_line", { route: route.between, count: taken, seats }]);
  }
  for (const seat of position.seats) {
    for (const port of seat.ports) {
      const reached = seat.routes.some((index) => board.at[port].includes(board.routes[index]));
      if (!reached) notes.push(["lonely_port", { name: seat.name, place: board.places[port].name }]);
    }
    if (seat.routePoints !== null) notes.push(["given_points", { name: seat.name, count: seat.routePoints }]);
  }
  return notes;
}

// What a press on a set of lines means: to take this seat's line back, or to take a line that is free.
export function lineMeant(position, seat, lines) {
  const own = lines.find((line) => position.seats[seat].routes.includes(line.index));
  return own ?? lines.find((line) => ownerOf(position, "routes", line.index) < 0) ?? lines[0];
}

