// A position as `branchline score` reads it, and back. What comes from outside is checked like what is pressed.

import { emptyPosition, ownerOf, Refusal, withBuilding, withName, withPassengers, withRoute, withRoutePoints, withSwapped, withTicket } from "../core/browser/desk/position.js";

const KEYS = ["edition", "seats"];
const SEAT_KEYS = ["name", "routes", "tickets", "tours", "stations", "passengers", "ports", "swapped", "route_points"];
const MOST_NAME = 40;

export function recordOf(board, position) {
  return {
    edition: board.edition,
    seats: position.seats.map((seat) => {
      const tickets = seat.tickets.map((index) => board.tickets[index]);
      const written = (ticket) => [...ticket.places.map((place) => board.places[place].name), ticket.value];
      const record = {
        name: seat.name,
        routes: seat.routes.map((index) => writtenRoute(board, board.routes[index])),
        tickets: tickets.filter((ticket) => ticket.places.length === 2).map(written),
      };
      const optional = {
        tours: tickets.filter((ticket) => ticket.places.length > 2).map(written),
        stations: seat.stations.map((place) => board.places[place].name),
        passengers: Object.fromEntries(Object.entries(seat.passengers).filter(([, count]) => count)),
        ports: seat.ports.map((place) => board.places[place].name),
        swapped: seat.swapped,
        route_points: seat.routePoints,
      };
      for (const [key, value] of Object.entries(optional)) {
        if (value && (typeof value !== "object" || Object.keys(value).length)) record[key] = value;
        else if (key === "route_points" && value !== null) record[key] = value;
      }
      return record;
    }),
  };
}

function writtenRoute(board, route) {
  const ends = [board.places[route.a].name, board.places[route.b].name];
  return route.lines > 1 ? [...ends, route.line + 1] : ends;
}

// Raises `Refusal` for what is no position on this board.
export function positionOf(board, record) {
  checkKeys(record, KEYS);
  const { seats } = record;
  if (!Array.isArray(seats) || !seats.length) throw new Refusal("file_seats", { most: board.seats[1] });
  if (seats.length > board.seats[1]) throw new Refusal("file_seats", { most: board.seats[1] });
  for (const seat of seats) checkKeys(seat, SEAT_KEYS);
  let position = emptyPosition(seats.map((_, n) => `\u0000${n}`));
  seats.forEach((seat, n) => {
    const name = seat.name ?? `seat ${n}`;
    if (typeof name !== "string" || name.length > 4 * MOST_NAME) throw new Refusal("no_name");
    position = withName(position, n, name);
  });
  const claims = seats.flatMap((seat, n) => list(seat.routes).map((entry) => [n, linesMeant(board, entry)]));
  for (const [n, lines] of [...claims].sort((x, y) => (x[1].length > 1) - (y[1].length > 1))) {
    const left = lines.find((line) => ownerOf(position, "routes", line.index) < 0);
    position = withRoute(board, position, n, (left ?? lines[0]).index);
  }
  seats.forEach((seat, n) => {
    for (const entry of [...list(seat.tickets), ...list(seat.tours)]) position = withTicket(board, position, n, ticketMeant(board, entry).index);
    for (const kind of ["stations", "ports"]) {
      for (const name of list(seat[kind])) {
        if (!board[kind]) throw unread(name);
        position = withBuilding(board, position, n, kind, placeMeant(board, name));
      }
    }
    for (const [colour, count] of Object.entries(table(seat.passengers))) {
      if (!board.passengers?.colours.includes(colour)) throw unread(colour);
      position = withPassengers(board, position, n, colour, number(count));
    }
    if (seat.swapped) {
      if (!board.pieces.fleet) throw unread("swapped");
      position = withSwapped(position, n, number(seat.swapped));
    }
    if (seat.route_points !== undefined && seat.route_points !== null) position = withRoutePoints(position, n, number(seat.route_points));
  });
  return position;
}

const unread = (value) => new Refusal("unread", { what: (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 80) });

function checkKeys(value, allowed) {
  if (typeof value !== "object" || !value || Array.isArray(value)) throw unread(value);
  for (const key of Object.keys(value)) if (!allowed.includes(key)) throw unread(key);
}

function list(value) {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > 400) throw unread(value);
  return value;
}

function table(value) {
  if (value === undefined) return {};
  if (typeof value !== "object" || !value || Array.isArray(value)) throw unread(value);
  return value;
}

function number(value) {
  if (!Number.isInteger(value) || value < 0 || value > 2000) throw unread(value);
  return value;
}

function placeMeant(board, name) {
  const place = typeof name === "string" && name.length < 200 ? board.place(name) : undefined;
  if (place === undefined) throw unread(name);
  return place;
}

// `["Paris", "Dieppe"]`, with the colour or the number of a line where there are several, or `"Paris–Dieppe"`.
function linesMeant(board, entry) {
  const parts = typeof entry === "string" ? parted(board, entry) : entry;
  if (!Array.isArray(parts) || parts.length < 2 || parts.length > 3) throw unread(entry);
  const lines = board.linesBetween(placeMeant(board, parts[0]), placeMeant(board, parts[1]));
  const which = typeof parts[2] === "string" ? parts[2].trim().toLowerCase() : parts[2];
  const fitting = which === undefined ? lines : lines.filter((line) => [line.colour, `line ${line.line + 1}`, line.line + 1].includes(which));
  if (!fitting.length) throw unread(entry);
  return fitting;
}

function ticketMeant(board, entry) {
  const parts = typeof entry === "string" ? parted(board, entry) : list(entry);
  const value = Number.isInteger(parts.at(-1)) ? parts.at(-1) : null;
  const places = (value === null ? parts : parts.slice(0, -1)).map((name) => placeMeant(board, name));
  const same = board.tickets.filter((ticket) => ticket.places.length === places.length && places.every((place) => ticket.places.includes(place)));
  const exact = same.filter((ticket) => ticket.places.every((place, n) => place === places[n]));
  const matching = exact.length ? exact : same;
  if (matching.length !== 1 || (value !== null && value !== matching[0].value)) throw unread(entry);
  return matching[0];
}

// Two places or more in a text: cut at dashes wherever known names come out.
function parted(board, text) {
  const parts = text.slice(0, 400).split(/\s*(?:->|[–—>/→-])\s*/u);
  const names = [];
  for (let first = 0; first < parts.length; ) {
    let last = parts.length;
    while (last > first && board.place(parts.slice(first, last).join("")) === undefined) last -= 1;
    if (last === first) throw unread(text);
    names.push(parts.slice(first, last).join(""));
    first = last;
  }
  return names;
}
