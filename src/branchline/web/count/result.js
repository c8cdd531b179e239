// The sheet at the end: what brought how many points, who has won and why, with all ways on the map.

import { badge, element } from "../core/browser/desk/elements.js";
import { notesOn } from "../core/browser/desk/position.js";
import { shortestWay } from "./ways.js";
import { plainMinus, say, signed, start } from "../core/browser/desk/words.js";

export function resultOf({ board, position, sheet }) {
  const names = position.seats.map((seat) => seat.name);
  const notes = notesOn(board, position);
  const rows = rowsOf(board, position, sheet);
  return [
    element("h2", { id: "winner", tabindex: "-1" }, winnersTold(names, sheet.winners)),
    element("p", { id: "why" }, whyTold(board, names, sheet)),
    notes.length ? element("ul", { class: "notes" }, ...notes.map(([key, fields]) => element("li", {}, say(`note_${key}`, fields)))) : "",
    sheetTable(rows, position, sheet),
    ...position.seats.map((_, seat) => seatSheet(rows, position, sheet, seat)),
  ];
}

const listed = (names) => new Intl.ListFormat(start.language).format(names);

export function winnersTold(names, winners) {
  return winners.length === 1 ? say("wins", { name: names[winners[0]] }) : say("win_together", { names: listed(winners.map((n) => names[n])) });
}

// In words: the points, or the ties that were looked at.
export function whyTold(board, names, sheet) {
  const [first] = sheet.winners;
  const most = sheet.seats[first].total;
  if (names.length < 2) return say("why_points", { count: most });
  if (!sheet.decided.length) {
    const next = Math.max(...sheet.seats.filter((_, n) => !sheet.winners.includes(n)).map((score) => score.total), -Infinity);
    return Number.isFinite(next) ? say("why_ahead", { points: most, next }) : say("why_shared", { count: most });
  }
  const steps = sheet.decided.map(({ tie, values }) => `${say(`tie_${tie}`)} (${values.map(({ seat, value }) => `${names[seat]} ${value}`).join(", ")})`);
  const reason = say("why_ties", { count: most, steps: steps.join("; ") });
  return sheet.winners.length > 1 ? `${reason} ${say("why_level")}` : reason;
}

// The components of an edition, each with its details: {name, points, details: [{seat, text, points, marks, good}]}.
export function rowsOf(board, position, sheet) {
  return board.parts.map((key) => {
    const details = DETAILS[key]?.(board, position, sheet) ?? [];
    return { name: start.parts[key], points: sheet.seats.map((score) => score.parts[key]), details };
  });
}

// What can be told of a part in detail; any other part is a row of numbers.
const DETAILS = {
  routes: (board, position, sheet) => routeDetails(sheet, position),
  tickets: (board, position, sheet) => ticketDetails(board, position, sheet, false),
  tours: (board, position, sheet) => ticketDetails(board, position, sheet, true),
  stations: (board, position, sheet) => stationDetails(board, sheet),
  longest_trail_bonus: (board, position, sheet) => trailDetails(sheet),
  globetrotter: (board, position, sheet) => mostDetails(sheet),
  passengers: (board, position) => passengerDetails(board, position),
  ports: (board, position, sheet) => portDetails(board, sheet),
};
const perSeat = (sheet, detailsOf) => sheet.seats.flatMap((score, seat) => detailsOf(score, seat).map((detail) => ({ seat, points: "", marks: "", good: true, ...detail })));
const marksOf = (routes, places = []) => [...places.map((place) => `place-${place}`), ...routes.map((route) => `route-${route.index}`)].join(" ");

function routeDetails(sheet, position) {
  return perSeat(sheet, (score, seat) => {
    const { routes } = position.seats[seat];
    return [{ text: say("routes_count", { count: routes.length }), points: signed(score.parts.routes), marks: routes.map((index) => `route-${index}`).join(" ") }];
  });
}

function ticketDetails(board, position, sheet, tours) {
  return perSeat(sheet, (score, seat) =>
    score.tickets
      .filter(({ ticket }) => ticket.places.length > 2 === tours)
      .map(({ ticket, done, inOrder, points }) => ({
        text: `${done ? "✓" : "✕"} ${ticket.name}${inOrder ? ` (${say("in_order")})` : ""}`,
        points: signed(points),
        marks: marksOf(done ? wayOf(board, position, sheet, seat, ticket) : [], ticket.places),
        good: done,
      })),
  );
}

// The routes that do a ticket, borrowed ones among them.
function wayOf(board, position, sheet, seat, ticket) {
  const own = position.seats[seat].routes.map((index) => board.routes[index]);
  const lent = sheet.seats[seat].borrowed.map((loan) => loan.route).filter(Boolean);
  const routes = new Set();
  ticket.places.slice(1).forEach((place, n) => {
    for (const route of shortestWay(board, [...own, ...lent], ticket.places[n], place) ?? []) routes.add(route);
  });
  return [...routes];
}

function stationDetails(board, sheet) {
  return perSeat(sheet, (score) => {
    const loans = score.borrowed.map(({ place, route }) => ({
      text: route ? say("station_borrows", { place: board.places[place].name, route: route.between }) : say("station_idle", { place: board.places[place].name }),
      marks: marksOf(route ? [route] : [], [place]),
    }));
    const kept = board.stations.count - score.stationsBuilt;
    return kept ? [...loans, { text: say("stations_kept", { count: kept }), points: signed(score.parts.stations) }] : loans;
  });
}

const trailDetails = (sheet) => perSeat(sheet, (score) => [{ text: say("spaces", { count: score.trail.spaces }), points: score.parts.longest_trail_bonus ? signed(score.parts.longest_trail_bonus) : "", marks: marksOf(score.trail.routes) }]);

const mostDetails = (sheet) => perSeat(sheet, (score) => [{ text: say("done_count", { count: score.ticketsDone }), points: score.parts.globetrotter ? signed(score.parts.globetrotter) : "" }]);

const passengerDetails = (board, position) =>
  position.seats.map(({ passengers }, seat) => ({
    seat,
    text: board.passengers.colours.filter((colour) => passengers[colour]).map((colour) => `${board.passengers.said[colour]} × ${passengers[colour]}`).join(", ") || "–",
    points: "",
    marks: "",
    good: true,
  }));

function portDetails(board, sheet) {
  return perSeat(sheet, (score) => {
    const ports = score.built.map(({ place, naming, points }) => ({ text: say("port_tickets", { place: board.places[place].name, count: naming }), points: signed(points), marks: `place-${place}` }));
    const unbuilt = board.ports.count - score.built.length;
    return unbuilt ? [...ports, { text: say("ports_unbuilt", { count: unbuilt }), points: signed(unbuilt * board.ports.unbuilt), good: false }] : ports;
  });
}

// ------------------------------------------------------------------------------------------------ the table

// Numbers side by side, and below them seat by seat what they are made of: both fit a phone.
function sheetTable(rows, position, sheet) {
  const heads = position.seats.map((seat, n) => element("th", { scope: "col" }, badge(n), " ", element("span", { class: "name" }, seat.name)));
  const lines = rows.map(({ name, points }) => element("tr", {}, element("th", { scope: "row" }, name), ...points.map((value) => element("td", {}, signed(value)))));
  const totals = sheet.seats.map((score, n) => element("td", { class: sheet.winners.includes(n) ? "won" : false }, plainMinus(score.total)));
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": say("scores") },
    element("table", { class: "sheet" }, element("thead", {}, element("tr", {}, element("td", {}), ...heads)), element("tbody", {}, ...lines), element("tfoot", {}, element("tr", {}, element("th", { scope: "row" }, say("total")), ...totals))),
  );
}

function seatSheet(rows, position, sheet, seat) {
  const parts = rows.map(({ name, points, details }) => {
    const mine = details.filter((entry) => entry.seat === seat);
    if (!mine.length) return "";
    return element("li", {}, element("p", { class: "part" }, element("span", {}, name), " ", element("b", {}, signed(points[seat]))), element("ul", {}, ...mine.map((entry) => element("li", {}, detail(entry)))));
  });
  const total = element("b", {}, plainMinus(sheet.seats[seat].total));
  return element("details", { class: "seat-sheet", open: sheet.winners.includes(seat) }, element("summary", {}, badge(seat), " ", element("span", { class: "name" }, position.seats[seat].name), " ", total), element("ul", {}, ...parts));
}

function detail(entry) {
  const look = { class: `detail${entry.good ? "" : " bad"}` };
  const inside = [element("span", {}, entry.text), " ", element("b", {}, entry.points)];
  return entry.marks ? element("button", { type: "button", ...look, "data-highlights": entry.marks }, ...inside) : element("span", look, ...inside);
}
