// What stands below the map: what can have happened in a turn. Each panel is made anew of the game.

import { drawn, element } from "../core/browser/desk/elements.js";
import { exampleOf, linesNamed, placesNamed, ticketsNamed } from "../core/browser/desk/typing.js";
import { say } from "../core/browser/desk/words.js";
import { drawnLast, ownerOf, redrawn, routeWords, seatOf, startOf, unfilled, withHeld, withPending, withStart, withTurn } from "./game.js";

const MOST_KEPT = 5;

// `desk`: {board, game, seat, change(made), choose(index), turnTo(tool)}; `change` takes a function from a game to the next one.
export const PANELS = { cards, route, tickets, build, more, end };

// Which of them an edition has.
export const toolsOf = (board) => ["cards", "route", "tickets", (board.stations || board.ports) && "build", "more", "end"].filter(Boolean);

const button = (text, click, properties = {}) => element("button", { type: "button", click, ...properties }, text);

// ------------------------------------------------------------------------------------------------ cards

function cards({ board, game, change, turnTo }) {
  const { drawn: pulled } = game.pending;
  const two = board.cards.length > 1;
  const draw = (card) => change((now) => drew(now, card));
  const blind = two ? [["blind train", say("blind_train")], ["blind ship", say("blind_ship")]] : [["blind", say("blind")]];
  const lately = drawnLast(game);
  const place = two ? unfilled(lately) : -1;
  const refill = (deck) => () => change((now) => redrawn(now, (cards) => cards.map((card, n) => (n === place ? `${card} refill ${deck}` : card))));
  const sweep = () => change((now) => redrawn(now, (cards) => [...cards, "sweep"]));
  const refills = place < 0 ? [] : board.decks.map((deck) => button(say("refilled", { card: inWords(board, lately[place]), deck: deck.said }), refill(deck.name)));
  const after = lately.length ? element("div", { class: "ways" }, ...refills, button(say("sweep"), sweep)) : null;
  return [
    pulled.length ? element("p", {}, say("drawn", { cards: pulled.map((card) => inWords(board, card)).join(", ") })) : null,
    pulled.length ? after : null,
    element("div", { class: "kinds" }, game.turns.length || pulled.length ? null : button(say("before"), () => turnTo("more")), ...blind.map(([word, label]) => button(label, () => draw(word), { class: "first" })), pulled.length || two ? null : button(say("two_unknown"), () => change((now) => withTurn(now, { said: "draw 2" })))),
    element("p", { class: "soft" }, say("open_card")),
    ...board.cards.map((kinds) => element("div", { class: "kinds" }, ...kinds.map((card) => kind(card, 0, () => draw(card.name))))),
    pulled.length ? null : after,
  ];
}

// A card of the market as the reader calls it.
const inWords = (board, card) => board.cards.flat().find((candidate) => candidate.name === card.split(" refill ")[0])?.said ?? card;

const cardsIn = (drawn) => drawn.filter((card) => card !== "sweep");

// One card more; two are a turn, and so is a wild one from the market.
function drew(game, card) {
  const drawn = [...game.pending.drawn, card];
  const complete = cardsIn(drawn).length === 2 || (/^wild\b/.test(drawn[0]) && cardsIn(drawn).length === 1);
  return complete ? withTurn(game, { said: `draw ${drawn.join(", ")}` }) : withPending(game, { drawn });
}

// ------------------------------------------------------------------------------------------------ building

function route(desk) {
  const { board, game, change } = desk;
  const index = game.pending.route;
  if (index === null) return [typingField(say("type_route", { route: exampleOf(board) }), (text) => linesNamed(board, text).flatMap((lines) => lines.map((line) => ({ name: line.name, owner: ownerOf(game, line.index), act: () => desk.choose(line.index) })))), element("p", { class: "soft" }, say("tap_route"))];
  const line = board.routes[index];
  const ends = [line.a, line.b].filter((place) => board.places[place].passengers > 0);
  const note = (word, paid) =>
    change((now) => {
      const taken = ends.filter((place) => now.pending.passengers[place]).map((place) => `${now.pending.passengers[place]} at ${board.places[place].name}`);
      const passengers = word === "claim" && taken.length ? ` passengers ${taken.join(", ")}` : "";
      const turned = now.pending.turned.length ? ` turned ${now.pending.turned.join(", ")}` : "";
      return withTurn(now, { said: `${word} ${routeWords(board, index)}${paid}${turned}${passengers}`, route: index });
    });
  return [
    element("p", {}, element("b", {}, line.name)),
    element("div", { class: "ways" }, enterButtons(desk, (paid) => note("claim", paid)), line.kind === "tunnel" ? button(say("withdrawn"), () => note("withdraw", paidWords(game))) : null, cancel(desk)),
    ...ends.map((place) => passengerField(desk, place)),
    ...payment(desk, line.piece === 1 && board.cards.length > 1 ? 1 : 0),
    ...(line.kind === "tunnel" ? tunnel(desk) : []),
  ];
}

// The cards that a tunnel turned over: a press is one more; once more than there can be, and they are put in anew.
function tunnel({ board, game, change }) {
  const { turned } = game.pending;
  const turn = (card) => change((now) => withPending(now, { turned: now.pending.turned.length < board.tunnelCards ? [...now.pending.turned, card] : [card] }));
  return [
    element("p", { class: "soft" }, say("turned")),
    element("div", { class: "kinds" }, ...board.cards[0].map((card) => kind(card, turned.filter((name) => name === card.name).length, () => turn(card.name)))),
  ];
}

function passengerField({ board, game, change }, place) {
  const colours = board.passengers.colours;
  const select = element("select", { change: (event) => change((now) => withPending(now, { passengers: { ...now.pending.passengers, [place]: event.target.value } })) }, element("option", { value: "" }, say("nobody")), ...colours.map((colour) => element("option", { value: colour, selected: game.pending.passengers[place] === colour }, board.passengers.said[colour])));
  return element("label", {}, `${say("passenger_at", { place: board.places[place].here })} `, select);
}

// The cards that were paid: a press is one more of a kind.
function payment({ board, game, change }, deck) {
  const kinds = deck === 1 ? [...board.cards[1], ...board.cards[0].filter((card) => card.name === "wild")] : board.cards[0];
  const { paid } = game.pending;
  return [
    element("p", { class: "soft" }, say("paid_with")),
    element("div", { class: "kinds" }, ...kinds.map((card) => kind(card, paid[card.name], () => change((now) => withPending(now, { paid: { ...now.pending.paid, [card.name]: (now.pending.paid[card.name] ?? 0) + 1 } }))))),
  ];
}

// A kind of card to be pressed: its colour with its symbol, ships and anchor, its name, and how many there are.
function kind(card, count, click) {
  const [colour, ...family] = card.name.split(" ");
  const symbols = [colour, ...(family.includes("ship") ? ["ship"] : []), ...(family[0] === "double" ? ["ship"] : []), ...(["ship", "port"].includes(family[0]) ? ["anchor"] : [])];
  const face = element("span", { class: `chip c-${colour}`, "aria-hidden": "true" }, ...symbols.map((name) => drawn("svg", { class: "sym" }, drawn("use", { href: `#s-${name}` }))));
  return element("button", { type: "button", class: "of", click }, face, element("span", { class: "called" }, card.said), count ? element("b", {}, String(count)) : "");
}

function paidWords(game) {
  const paid = Object.entries(game.pending.paid).map(([name, count]) => `${count} ${name}`);
  return paid.length ? ` with ${paid.join(" + ")}` : "";
}

function enterButtons({ game }, note) {
  const paid = paidWords(game);
  return button(say(paid ? "enter" : "enter_unpaid"), () => note(paid), { class: "first" });
}

const cancel = ({ change }) => button(say("cancel"), () => change((now) => withPending(now, { route: null, place: null, paid: {}, turned: [], passengers: {} })), { class: "back" });

function build(desk) {
  const { board, game, change } = desk;
  const word = board.stations ? "station" : "port";
  const { place } = game.pending;
  if (place === null) return [typingField(say("tap_place"), (text) => placesNamed(board, text).map((place) => ({ name: place.here, owner: -1, act: () => desk.choose(place.index) })), false), element("p", { class: "soft" }, say("tap_place"))];
  const kinds = word === "port" ? [0, 1] : [0];
  return [
    element("p", {}, element("b", {}, board.places[place].here)),
    element("div", { class: "ways" }, enterButtons(desk, (paid) => change((now) => withTurn(now, { said: `${word} ${board.places[place].name}${paid}`, place }))), cancel(desk)),
    ...kinds.flatMap((deck) => payment(desk, deck)),
  ];
}

// ------------------------------------------------------------------------------------------------ all else

function tickets({ board, change }) {
  const { later, mix, deck } = board.draw;
  const first = element("select", { id: "mix" }, element("option", { value: "" }, say("unknown")), ...Array.from({ length: mix + 1 }, (_, n) => element("option", { value: n }, String(n))));
  const note = (kept) => {
    const from = mix && first.value ? ` mix ${first.value} ${deck}` : "";
    change((now) => withTurn(now, { said: `tickets${from}${kept ? ` keep ${kept}` : ""}` }));
  };
  return [
    mix ? element("label", {}, `${board.draw.firstDeck} `, first) : null,
    element("p", { class: "soft" }, say("kept")),
    element("div", { class: "kinds" }, ...Array.from({ length: Math.min(later, MOST_KEPT) }, (_, n) => button(String(n + 1), () => note(n + 1), { "aria-label": say("kept_count", { count: n + 1 }) })), button(say("unknown"), () => note(0))),
  ];
}

function more(desk) {
  const { board, change } = desk;
  const swaps = [];
  if (board.pieces.fleet) {
    const count = element("input", { type: "number", min: 1, max: 25, value: 1, "aria-label": say("more") });
    const [one, other] = board.pieceNames;
    const swap = (from, to) => () => change((now) => withTurn(now, { said: `swap ${Math.max(1, Math.min(25, Math.floor(Number(count.value)) || 1))} ${from}s for ${to}s` }));
    swaps.push(count, button(say("swap_for", { count: board.pieces.said[0], pieces: board.pieces.said[1] }), swap(one, other)), button(say("swap_for", { count: board.pieces.said[1], pieces: board.pieces.said[0] }), swap(other, one)));
  }
  return [element("div", { class: "ways" }, button(say("pass"), () => change((now) => withTurn(now, { said: "pass" }))), ...swaps), starts(desk)];
}

// What is known of each player before the first turn: the tickets they kept, of which mix, and their fleet.
function starts({ board, game, change }) {
  const { keep, most, mix, deck } = { ...board.draw, ...board.draw.first };
  const counted = (seat, word, label, numbers, unit = "") => {
    const current = startOf(game, seat)[word] ?? "";
    const options = [["", say("unknown")], ...numbers.map((n) => [`${n}${unit}`, String(n)])];
    if (!options.some(([value]) => value === current)) options.push([current, current]);
    return element("label", {}, `${label} `, element("select", { "data-start": `${word}-${seat}`, change: (event) => change((now) => withStart(now, seat, word, event.target.value)) }, ...options.map(([value, said]) => element("option", { value, selected: value === current }, said))));
  };
  const range = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => n + from);
  const [piece] = board.pieceNames;
  return element(
    "details",
    { open: !game.turns.length, class: "starts" },
    element("summary", {}, say("before")),
    ...game.names.map((name, seat) =>
      element(
        "fieldset",
        { class: `p-${seat}` },
        element("legend", {}, name),
        counted(seat, "keep", say("kept"), range(keep, most)),
        mix ? counted(seat, "mix", `${board.draw.firstDeck}:`, range(0, mix), ` ${deck}`) : null,
        board.pieces.fleet ? counted(seat, "fleet", `${board.pieces.said[0]}:`, range(Math.max(0, board.pieces.fleet - board.pieces.count[1]), Math.min(board.pieces.fleet, board.pieces.count[0])), ` ${piece}s`) : null,
      ),
    ),
  );
}

function end({ board, game, seat, change }) {
  const field = element("input", { type: "search", id: "ticket-search", autocomplete: "off", "aria-label": say("search_ticket"), placeholder: say("search_ticket"), maxlength: 80 });
  const list = element("ul", { class: "ticket-list", "aria-label": say("all_tickets") });
  const holder = (index) => game.held.findIndex((tickets) => tickets.includes(index));
  const fill = () => {
    const tickets = ticketsNamed(board, field.value).filter((ticket) => [-1, seat].includes(holder(ticket.index)));
    tickets.sort((a, b) => holder(b.index) - holder(a.index) || a.name.localeCompare(b.name));
    list.replaceChildren(...tickets.map((ticket) => element("li", {}, element("button", { type: "button", class: "ticket-line", "aria-pressed": String(holder(ticket.index) === seat), "data-ticket": ticket.index, click: () => change((now) => withHeld(now, seat, ticket.index)) }, element("span", { class: "no-badge", "aria-hidden": "true" }), element("span", { class: "ends" }, ticket.name), element("span", {}, ""), element("b", {}, String(ticket.value))))));
    if (!list.children.length) list.append(element("li", { class: "soft" }, say("none_found")));
  };
  field.addEventListener("input", fill);
  fill();
  return [element("p", { class: "soft" }, say("whose_tickets")), element("p", {}, say("held_count", { name: game.names[seat], count: game.held[seat].length })), field, list, document.getElementById("end-tools").content.cloneNode(true), turnsOf(game)];
}

// The latest turns first.
function turnsOf(game) {
  const lines = game.turns.map(({ said }, n) => element("li", {}, say("noted", { name: game.names[seatOf(game, n)], what: said })));
  return element("details", {}, element("summary", {}, say("turns", { count: lines.length })), element("ol", { class: "turns" }, ...lines));
}

// A field to type in, and what it may mean. `found(text)` gives {name, owner, act}.
function typingField(label, search) {
  const box = element("div", { class: "suggestions" });
  const field = element("input", { type: "search", id: "typing", autocomplete: "off", "aria-label": label, placeholder: label, maxlength: 80 });
  field.addEventListener("input", () => box.replaceChildren(...search(field.value).slice(0, 8).map((choice) => button(choice.name, choice.act, { disabled: choice.owner >= 0 }))));
  field.addEventListener("keydown", (event) => event.key === "Enter" && box.querySelector("button:not([disabled])")?.click());
  return element("div", {}, element("div", { class: "typing" }, field), box);
}
