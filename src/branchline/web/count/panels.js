// What stands below the map: fields and lists for what is entered now. Each panel is made anew of the position.

import { badge, drawn, element } from "../core/browser/desk/elements.js";
import { ownerOf, piecesUsed, withBuilding, without, withPassengers, withRoute, withSwapped, withTicket, lineMeant } from "../core/browser/desk/position.js";
import { exampleOf, linesNamed, listening, placesNamed, ticketsNamed } from "../core/browser/desk/typing.js";
import { plainMinus, say, signed, start } from "../core/browser/desk/words.js";

// `desk`: {board, position, seat, sheet, change(made), tell(text), light(ids)}; `change` takes a function from a position
// to the next one.
export const PANELS = { routes, tickets, stations, ports, passengers, swaps };

// Which of them an edition has.
export function toolsOf(board) {
  return ["routes", "tickets", board.stations && "stations", board.ports && "ports", board.passengers && "passengers", board.pieces.swapPrice && "swaps", "result"].filter(Boolean);
}

// ------------------------------------------------------------------------------------------------ routes

function routes(desk) {
  const { board, position, seat } = desk;
  const hand = position.seats[seat];
  const used = piecesUsed(board, position, seat);
  const left = board.pieces.fleet
    ? say("left_all", { count: board.pieces.fleet - used.reduce((sum, count) => sum + count, 0) })
    : used.map((count, kind) => say(`left_${board.pieceNames[kind]}`, { count: board.pieces.count[kind] - count })).join(" · ");
  return [
    typingField(desk, "routes", say("type_route", { route: exampleOf(board) }), (text) => linesNamed(board, text).map((lines) => {
      const line = lineMeant(position, seat, lines);
      const owner = ownerOf(position, "routes", line.index);
      const note = owner < 0 ? say("points", { count: line.points }) : owner === seat ? say("take_back") : position.seats[owner].name;
      return { name: line.between, note, mark: `route-${line.index}`, act: () => desk.toggleRoute(line.index) };
    })),
    element("p", { class: "soft" }, `${say("routes_count", { count: hand.routes.length })} · ${left}`),
    chips(hand.routes.map((index) => ({
      text: board.routes[index].name,
      note: String(board.routes[index].points),
      mark: `route-${index}`,
      act: () => desk.change((now) => without(now, seat, "routes", index)),
    }))),
  ];
}

// ------------------------------------------------------------------------------------------------ tickets

function tickets(desk) {
  const { board, position, seat } = desk;
  const field = element("input", { type: "search", id: "ticket-search", autocomplete: "off", enterkeyhint: "search", "aria-label": say("search_ticket"), placeholder: say("search_ticket"), maxlength: 80 });
  const list = element("ul", { class: "ticket-list", "aria-label": say("all_tickets") });
  const order = likeliestFirst(board, position, seat);
  const fill = () => {
    const matching = new Set(ticketsNamed(board, field.value).map((ticket) => ticket.index));
    list.replaceChildren(...order.filter((ticket) => matching.has(ticket.index)).map((ticket) => ticketLine(desk, ticket)));
    if (!list.children.length) list.append(element("li", { class: "soft" }, say("none_found")));
  };
  field.addEventListener("input", fill);
  field.addEventListener("keydown", (event) => event.key === "Enter" && list.querySelector("button")?.click());
  fill();
  const done = desk.sheet.seats[seat].tickets;
  const sum = done.reduce((all, ticket) => all + ticket.points, 0);
  return [
    field,
    element("p", { class: "soft" }, [say("tickets_count", { count: done.length }), say("completed_count", { count: done.filter((ticket) => ticket.done).length }), say("points", { count: sum })].join(" · ")),
    element("p", { class: "soft" }, say("likeliest_first")),
    list,
  ];
}

// What the points of a seat consist of, so that nobody wonders about those that nothing was entered for.
export function sumOf({ board, position, sheet, seat }) {
  const { parts } = sheet.seats[seat];
  const sources = board.parts.filter((key) => parts[key]).map((key) => `${start.parts[key]} ${signed(parts[key])}`);
  return element("p", { class: "soft" }, `${position.seats[seat].name}: ${sources.join(" · ") || say("points", { count: 0 })}`);
}

// Own tickets, then those whose places the seat's routes touch.
function likeliestFirst(board, position, seat) {
  const mine = position.seats[seat];
  const touched = new Set(mine.routes.flatMap((index) => [board.routes[index].a, board.routes[index].b]));
  const rank = (ticket) => {
    const owner = ownerOf(position, "tickets", ticket.index);
    if (owner >= 0) return owner === seat ? 3 : -1;
    return ticket.places.filter((place) => touched.has(place)).length / ticket.places.length;
  };
  return [...board.tickets].sort((a, b) => rank(b) - rank(a) || a.name.localeCompare(b.name));
}

function ticketLine(desk, ticket) {
  const { board, position, seat, sheet } = desk;
  const owner = ownerOf(position, "tickets", ticket.index);
  const result = owner < 0 ? null : sheet.seats[owner].tickets.find((entry) => entry.ticket === ticket);
  const status = result ? say(result.done ? (result.inOrder ? "done_in_order" : "done") : "not_done") : "";
  const press = () =>
    desk.change((now) => {
      const holder = ownerOf(now, "tickets", ticket.index);
      return holder === seat ? without(now, seat, "tickets", ticket.index) : withTicket(board, now, seat, ticket.index);
    });
  const button = element(
    "button",
    { type: "button", class: `ticket-line${result ? (result.done ? " is-done" : " is-failed") : ""}`, "aria-pressed": String(owner === seat), "data-ticket": ticket.index, "data-highlights": ticket.places.map((place) => `place-${place}`).join(" "), click: press },
    owner >= 0 ? badge(owner) : element("span", { class: "no-badge", "aria-hidden": "true" }),
    element("span", { class: "ends" }, ticket.name, ticket.abroad ? element("small", {}, ` (${ticket.abroad})`) : ""),
    element("span", { class: "soft" }, owner >= 0 && owner !== seat ? `${position.seats[owner].name}, ${status}` : status),
    element("b", {}, result ? plainMinus(result.points) : ticket.places.length > 2 ? `${ticket.anyOrder}/${ticket.value}` : String(ticket.value)),
  );
  return element("li", {}, button);
}

// ------------------------------------------------------------------------------------------------ stations and ports

function stations(desk) {
  return buildings(desk, "stations");
}

function ports(desk) {
  return buildings(desk, "ports");
}

function buildings(desk, kind) {
  const { board, position, seat, sheet } = desk;
  const mine = position.seats[seat][kind];
  const borrowed = new Map(sheet.seats[seat].borrowed.map((loan) => [loan.place, loan.route]));
  const scores = new Map(sheet.seats[seat].built.map((port) => [port.place, port.points]));
  return [
    typingField(desk, kind, say(`type_${kind}`), (text) => placesNamed(board, text).map((place) => ({
      name: place.here,
      note: mine.includes(place.index) ? say("take_back") : "",
      mark: `place-${place.index}`,
      act: () => desk.togglePlace(place.index),
    }))),
    element("p", { class: "soft" }, `${say(`${kind}_count`, { count: mine.length, most: board[kind].count })} ${say("tap_cities")}`),
    chips(mine.map((place) => ({
      text: board.places[place].name,
      note: kind === "ports" ? signed(scores.get(place)) : borrowed.get(place) ? say("borrows", { route: borrowed.get(place).between }) : "",
      mark: `place-${place}`,
      act: () => desk.change((now) => without(now, seat, kind, place)),
    }))),
  ];
}

// ------------------------------------------------------------------------------------------------ numbers

function passengers(desk) {
  const { board, position, seat } = desk;
  const mine = position.seats[seat].passengers;
  return [
    element("p", { class: "soft" }, say("passengers_hint", { most: board.passengers.points[0], second: board.passengers.points[1] })),
    ...board.passengers.colours.map((colour) => {
      const count = mine[colour] ?? 0;
      const sign = element("span", { class: `figure c-${colour}`, "aria-hidden": "true" });
      sign.innerHTML = `<svg class="sym"><use href="#s-figure"/></svg><svg class="sym"><use href="#s-${colour}"/></svg>`;
      return stepper(`passengers-${colour}`, board.passengers.said[colour], count, sign, (by) => desk.change((now) => withPassengers(board, now, seat, colour, count + by)));
    }),
  ];
}

function swaps(desk) {
  const { board, position, seat } = desk;
  const { swapped } = position.seats[seat];
  return [
    element("p", { class: "soft" }, say("swaps_hint", { count: board.pieces.swapPrice })),
    stepper("swaps", say("swapped"), swapped, "", (by) => desk.change((now) => withSwapped(now, seat, swapped + by))),
  ];
}

function stepper(id, name, count, sign, step) {
  const button = (by, text, key) => element("button", { type: "button", id: `${id}-${key}`, "aria-label": say(key, { name }), disabled: by < 0 && !count, click: () => step(by) }, text);
  return element("div", { class: "stepper", role: "group", "aria-label": name }, sign, element("span", { class: "name" }, name), button(-1, "−", "fewer"), element("output", { "aria-live": "polite" }, String(count)), button(1, "+", "more"));
}

// ------------------------------------------------------------------------------------------------ shared

// What was entered, each to be taken back by a press.
function chips(entries) {
  if (!entries.length) return element("p", { class: "soft" }, say("tap_back"));
  const items = entries.map(({ text, note, mark, act }) =>
    element("li", {}, element("button", { type: "button", class: "chip-back", "data-highlights": mark, "aria-label": say("remove", { name: note ? `${text}, ${note}` : text }), click: act }, text, note ? element("b", {}, ` ${note}`) : "", element("span", { "aria-hidden": "true" }, " ✕"))),
  );
  return element("ul", { class: "chips-back", "aria-label": say("entered") }, ...items);
}

// A field with what its text may mean below it.
const microphone = () => drawn("svg", { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" }, drawn("path", { d: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11a7 7 0 0 0 14 0M12 18v3", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" }));

function typingField(desk, id, label, read) {
  const field = element("input", { id: `type-${id}`, type: "text", autocomplete: "off", autocapitalize: "words", spellcheck: "false", enterkeyhint: "done", "aria-label": label, placeholder: label, maxlength: 80 });
  const list = element("ul", { class: "suggestions", "aria-label": say("suggestions") });
  const take = (choice) => {
    choice.act();
    document.getElementById(`type-${id}`)?.focus({ preventScroll: true });
  };
  const fill = () => {
    const choices = field.value.trim() ? read(field.value) : [];
    list.replaceChildren(...choices.map((choice) => element("li", {}, element("button", { type: "button", "data-highlights": choice.mark, click: () => take(choice) }, choice.name, choice.note ? element("small", {}, ` ${choice.note}`) : ""))));
    return choices;
  };
  const enter = () => {
    const [first] = fill();
    if (first) take(first);
    else if (field.value.trim()) desk.tell(say("none_found"), true);
  };
  field.addEventListener("input", fill);
  field.addEventListener("keydown", (event) => event.key === "Enter" && (event.preventDefault(), enter()));
  const row = element("div", { class: "typing" }, field);
  const listen = listening();
  if (listen) {
    const button = element("button", { type: "button", class: "speak", "aria-label": say("speak"), "aria-pressed": "false" }, microphone());
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", "true");
      listen(
        (texts) => {
          const [understood] = texts.filter((text) => read(text).length);
          field.value = understood ?? texts[0];
          if (fill().length === 1) enter();
        },
        (problem) => {
          button.setAttribute("aria-pressed", "false");
          if (problem && problem !== "aborted") desk.tell(say("not_heard"), true);
        },
      );
    });
    row.append(button);
  }
  return element("div", { class: "typed" }, row, list);
}

// A route taken or given back, as a press on it means.
export function routeToggled(board, position, seat, index) {
  return position.seats[seat].routes.includes(index) ? without(position, seat, "routes", index) : withRoute(board, position, seat, index);
}

export function placeToggled(board, position, seat, kind, index) {
  return position.seats[seat][kind].includes(index) ? without(position, seat, kind, index) : withBuilding(board, position, seat, kind, index);
}
