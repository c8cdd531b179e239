// What lies on the table at the end, as the page changes it: a value of which every change makes another one.
//
// A seat holds routes, tickets, stations and ports by their index. What the pieces of the game make impossible is a
// `Refusal`, which says why; what only breaks a rule of play is done, and stands among the notes. Which is which the
// engine says, as it does to `branchline score`.

import { laidOut } from "./table.js";

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

const changed = (position, seat, changes) => ({ seats: position.seats.map((pieces, n) => (n === seat ? { ...pieces, ...changes } : pieces)) });

export const without = (position, seat, kind, index) =>
  changed(position, seat, { [kind]: position.seats[seat][kind].filter((laid) => laid !== index) });

const withOne = (position, seat, kind, index) => changed(position, seat, { [kind]: [...position.seats[seat][kind], index] });

// ------------------------------------------------------------------------------------------------ routes

// A route taken; `line`: this line and no other of its set.
export function withRoute(board, position, seat, index) {
  const { problem, call } = laidOut(board, position);
  const route = board.routes[index];
  const { name } = position.seats[seat];
  const reason = problem("route", seat, index);
  if (reason === "TWICE") throw new Refusal("twice", { route: route.name, name });
  if (reason === "TAKEN") throw new Refusal("taken", { route: route.name, name: position.seats[ownerOf(position, "routes", index)].name });
  const used = board.pieces.count.map((_, kind) => call("rules.laying.pieces_laid", seat, kind) + (kind === route.piece ? route.length : 0));
  if (reason === "PIECES") throw new Refusal("pieces", { name, count: used[route.piece], most: board.pieces.count[route.piece], pieces: board.pieces.said[route.piece] });
  if (reason === "FLEET") throw new Refusal("fleet", { name, count: used.reduce((sum, count) => sum + count, 0), most: board.pieces.fleet });
  return withOne(position, seat, "routes", index);
}

// Pieces of each kind that a seat has on the board.
export function piecesUsed(board, position, seat) {
  const { call } = laidOut(board, position);
  return board.pieces.count.map((_, kind) => call("rules.laying.pieces_laid", seat, kind));
}

// ------------------------------------------------------------------------------------------------ all else

export function withTicket(board, position, seat, index) {
  const owner = ownerOf(position, "tickets", index);
  if (owner >= 0) throw new Refusal("ticket_taken", { ticket: board.tickets[index].name, name: position.seats[owner].name });
  return withOne(position, seat, "tickets", index);
}

// `kind`: stations or ports.
export function withBuilding(board, position, seat, kind, index) {
  const { problem } = laidOut(board, position);
  const place = board.places[index];
  const { name } = position.seats[seat];
  const reason = problem(kind === "stations" ? "station" : "port", seat, index);
  if (reason === "NOT_HERE") throw new Refusal(`no_${kind}_here`, { place: place.name });
  if (reason === "TAKEN") throw new Refusal(`${kind}_taken`, { place: place.name, name: position.seats[ownerOf(position, kind, index)].name });
  if (reason === "MOST") throw new Refusal(`most_${kind}`, { name, most: board[kind].count });
  return withOne(position, seat, kind, index);
}

export function withPassengers(board, position, seat, colour, count) {
  const after = changed(position, seat, { passengers: { ...position.seats[seat].passengers, [colour]: count } });
  const all = after.seats.reduce((sum, pieces) => sum + (pieces.passengers[colour] ?? 0), 0);
  if (all > board.passengers.each) throw new Refusal("passengers", { colour: board.passengers.said[colour], count: all, most: board.passengers.each });
  return count < 0 ? position : after;
}

export function withSwapped(position, seat, count) {
  return count < 0 || count > MOST_SWAPPED ? position : changed(position, seat, { swapped: count });
}

export function withName(position, seat, name) {
  const clean = [...name.replace(/\s+/g, " ").trim()].slice(0, 40).join(""); // whole letters: an emoji is two halves
  if (!clean) throw new Refusal("no_name");
  if (position.seats.some((player, n) => n !== seat && player.name === clean)) throw new Refusal("same_name", { name: clean });
  return changed(position, seat, { name: clean });
}

export const withRoutePoints = (position, seat, routePoints) => changed(position, seat, { routePoints });

// What breaks a rule of play, and is counted all the same.
export function notesOn(board, position) {
  const { call } = laidOut(board, position);
  const notes = [];
  const seats = position.seats.length;
  for (const route of board.routes) {
    const count = board.setOf(route)[0] === route ? call("rules.laying.lines_too_many", route.index) : 0;
    if (count) notes.push(["one_line", { route: route.between, count, seats }]);
  }
  position.seats.forEach((seat, n) => {
    for (const port of seat.ports) {
      if (!call("rules.laying.reaches", n, port)) notes.push(["lonely_port", { name: seat.name, place: board.places[port].name }]);
    }
    if (seat.routePoints !== null) notes.push(["given_points", { name: seat.name, count: seat.routePoints }]);
  });
  return notes;
}

// What a press on a set of lines means: to take this seat's line back, or to take a line that is free.
export function lineMeant(position, seat, lines) {
  const own = lines.find((line) => position.seats[seat].routes.includes(line.index));
  return own ?? lines.find((line) => ownerOf(position, "routes", line.index) < 0) ?? lines[0];
}

