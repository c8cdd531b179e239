// The end, as `branchline.rules` scores it: every component of each seat, what each ticket and station came to, and who
// has won. The rules are stated there; tests compare.

import { other } from "./board.js";
import { networkOf, ticketJoined } from "./network.js";
import { inOrder } from "./tours.js";
import { longestTrail } from "./trail.js";

const trails = new WeakMap(); // by the list of a seat's routes, which never changes

export const PARTS = ["routes", "tickets", "tours", "stations", "longest_trail_bonus", "globetrotter", "passengers", "ports", "swaps"];

export function scored(board, position) {
  const seats = position.seats.map((seat, n) => seatScore(board, position, seat, n));
  const longest = Math.max(...seats.map((one) => one.trail.spaces));
  const most = Math.max(...seats.map((one) => one.ticketsDone));
  for (const one of seats) {
    one.parts.longest_trail_bonus = longest > 0 && one.trail.spaces === longest ? board.trail : 0;
    one.parts.globetrotter = most > 0 && one.ticketsDone === most ? board.mostTickets : 0;
    one.total = PARTS.reduce((sum, part) => sum + one.parts[part], 0);
  }
  const winners = seats.map((_, n) => n).filter((n) => seats.every((one) => ahead(board, one, seats[n]) <= 0));
  return { seats, winners, decided: decided(board, seats, winners[0]) };
}

function seatScore(board, position, seat, n) {
  const routes = seat.routes.map((index) => board.routes[index]);
  const network = networkOf(board, routes);
  const tickets = seat.tickets.map((index) => {
    const ticket = board.tickets[index];
    const done = ticketJoined(network, ticket);
    return { ticket, done, inOrder: done && ticket.places.length > 2 && inOrder(board, routes, ticket), byOwn: done };
  });
  const borrowed = borrowedBest(board, position, n, network, tickets);
  const lent = borrowed.map((one) => one.route).filter(Boolean);
  const joined = lent.length ? networkOf(board, [...routes, ...lent]) : network;
  for (const one of tickets) {
    one.done ||= ticketJoined(joined, one.ticket);
    one.points = !one.done ? -one.ticket.penalty : one.inOrder || one.ticket.places.length === 2 ? one.ticket.value : one.ticket.anyOrder;
  }
  const sum = (some) => some.reduce((all, one) => all + one.points, 0);
  const built = board.ports ? seat.ports.map((place) => portScore(board, place, tickets)) : [];
  return {
    parts: {
      routes: seat.routePoints ?? sum(routes),
      tickets: sum(tickets.filter((one) => one.ticket.places.length === 2)),
      tours: sum(tickets.filter((one) => one.ticket.places.length > 2)),
      stations: board.stations ? board.stations.bonus * (board.stations.count - seat.stations.length) : 0,
      longest_trail_bonus: 0,
      globetrotter: 0,
      passengers: board.passengers ? passengerScore(board, position, seat) : 0,
      ports: board.ports ? sum(built) + board.ports.unbuilt * (board.ports.count - built.length) : 0,
      swaps: -board.pieces.swapPrice * seat.swapped || 0,
    },
    tickets,
    borrowed,
    built,
    trail: board.trail ? trailOf(board, seat.routes) : { spaces: 0, routes: [] },
    ticketsDone: tickets.filter((one) => one.done).length,
    stationsBuilt: seat.stations.length,
    passengers: Object.values(seat.passengers).reduce((all, one) => all + one, 0),
  };
}

function trailOf(board, indices) {
  if (!trails.has(indices)) trails.set(indices, longestTrail(board, indices.map((index) => board.routes[index])));
  return trails.get(indices);
}

function portScore(board, place, tickets) {
  const naming = tickets.filter((one) => one.done && one.ticket.places.includes(place)).length;
  return { place, naming, points: board.ports.points[Math.min(naming, board.ports.points.length - 1)] };
}

// Per colour: most, then second; a tie for most leaves no second, and nobody scores with none.
function passengerScore(board, position, seat) {
  let points = 0;
  for (const colour of board.passengers.colours) {
    const mine = seat.passengers[colour] ?? 0;
    const before = position.seats.filter((one) => (one.passengers[colour] ?? 0) > mine).length;
    if (mine > 0 && before < 2) points += board.passengers.points[before];
  }
  return points;
}

// ------------------------------------------------------------------------------------------------ stations

// Each station borrows one route of another seat into its city, for all tickets: the choice that brings most points, then
// most tickets. Answers with {place, route}, in the order of the places; route null: nothing that is of use.
function borrowedBest(board, position, n, network, tickets) {
  const stations = [...position.seats[n].stations].sort((a, b) => a - b);
  const none = stations.map((place) => ({ place, route: null }));
  const failed = tickets.filter((one) => !one.done).map((one) => one.ticket);
  if (!stations.length || !failed.length) return none;
  const foreign = new Set(position.seats.flatMap((seat, m) => (m === n ? [] : seat.routes)));
  const own = position.seats[n].routes.map((index) => board.routes[index]);
  const choices = stations.map((place) => choicesInto(board, network, foreign, place));
  const worth = (picked) => {
    const joined = networkOf(board, [...own, ...picked.filter(Boolean)]);
    const done = failed.filter((ticket) => ticketJoined(joined, ticket));
    return done.reduce((sum, ticket) => sum + 4096 * (ticket.anyOrder + ticket.penalty) + 1, 0);
  };
  let best = { worth: 0, picked: stations.map(() => null) };
  for (const picked of combinations(choices)) {
    const found = worth(picked);
    if (found > best.worth) best = { worth: found, picked };
  }
  const picked = [...best.picked];
  picked.forEach((route, at) => {
    if (!route) return;
    picked[at] = null; // what helps nothing borrows nothing
    if (worth(picked) !== best.worth) picked[at] = route;
  });
  return none.map((one, at) => ({ ...one, route: picked[at] }));
}

// Foreign routes into a city that join anything new, each network once.
function choicesInto(board, network, foreign, place) {
  const found = [];
  const seen = new Set([network.root(place)]);
  for (const route of board.at[place]) {
    const root = network.root(other(route, place));
    if (!foreign.has(route.index) || seen.has(root)) continue;
    seen.add(root);
    found.push(route);
  }
  return found.length ? found : [null];
}

// The first station's choice changes fastest.
function* combinations(choices) {
  const at = choices.map(() => 0);
  for (;;) {
    yield choices.map((some, n) => some[at[n]]);
    let n = 0;
    while (n < at.length && ++at[n] === choices[n].length) at[n++] = 0;
    if (n === at.length) return;
  }
}

// ------------------------------------------------------------------------------------------------ who has won

const TIES = {
  tickets_done: (one) => one.ticketsDone,
  fewest_stations: (one) => -one.stationsBuilt,
  longest_trail: (one) => one.trail.spaces,
  passengers: (one) => one.passengers,
};

// More than 0: placed before the other.
export function ahead(board, one, another) {
  if (one.total !== another.total) return one.total - another.total;
  const tie = board.ties.find((name) => TIES[name](one) !== TIES[name](another));
  return tie ? TIES[tie](one) - TIES[tie](another) : 0;
}

// What decided among those with most points: the ties that were looked at, as {tie, values by seat}, the last of which
// told; none where points did, and all where even they did not.
function decided(board, seats, winner) {
  let level = seats.map((_, n) => n).filter((n) => seats[n].total === seats[winner].total);
  const looked = [];
  for (const tie of board.ties) {
    if (level.length < 2) break;
    const values = level.map((n) => ({ seat: n, value: Math.abs(TIES[tie](seats[n])) }));
    const best = Math.max(...level.map((n) => TIES[tie](seats[n])));
    looked.push({ tie, values });
    level = level.filter((n) => TIES[tie](seats[n]) === best);
  }
  return looked;
}
