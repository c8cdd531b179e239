// A game as it is noted: a value of which every change makes another one, and its text, one line a turn.

export const NOTHING = { drawn: [], route: null, place: null, paid: {}, turned: [], passengers: {} };

// What of a name a line can begin with.
export const clean = (name) => name.replace(/[,:#]/g, " ").replace(/\s+/g, " ").trim();

// `turns`: {said, route, place} with the index of what was built; `held`: of each seat the indices of its tickets.
export function newGame(edition, names) {
  return { edition, names: names.map(clean), starts: [], turns: [], held: names.map(() => []), pending: NOTHING, id: "" };
}

// Whose turn it is.
export const seatOf = (game, turn = game.turns.length) => turn % game.names.length;

export const withPending = (game, changes) => ({ ...game, pending: { ...game.pending, ...changes } });

export const withTurn = (game, turn) => ({ ...game, turns: [...game.turns, { route: null, place: null, ...turn }], pending: NOTHING });

// What is known of a player before the first turn: {mix, keep, fleet} as the text says it, each of them only if it is.
export function startOf(game, seat) {
  const line = game.starts.find((start) => nameIn(start) === game.names[seat].toLowerCase()) ?? "";
  const parts = line.split(/\b(mix|keep|fleet)\s/i).slice(1);
  return Object.fromEntries(parts.flatMap((word, n) => (n % 2 ? [] : [[word.toLowerCase(), parts[n + 1].trim()]])));
}

// An empty `value` is no longer known.
export function withStart(game, seat, word, value) {
  const start = { ...startOf(game, seat), [word]: value };
  const words = ["mix", "keep", "fleet"].filter((key) => start[key]).map((key) => `${key} ${start[key]}`);
  const others = game.starts.filter((start) => nameIn(start) !== game.names[seat].toLowerCase());
  return { ...game, starts: words.length ? [...others, `${game.names[seat]}: start ${words.join(" ")}`] : others };
}

const nameIn = (line) => line.slice(0, Math.max(0, line.indexOf(":"))).trim().toLowerCase();

// The cards of a turn of drawing: a card, or what came of it ("sweep").
export const drawnIn = (text) => (text.startsWith("draw ") ? text.slice(5).split(", ") : []);

const isOpen = (card) => !/^(blind|sweep|\d|\?)/.test(card);

// Of cards that were drawn, the last one that came from the market and of which nobody noted how its place was filled.
export function unfilled(drawn) {
  const last = drawn.findLastIndex((card) => card !== "sweep");
  return last >= 0 && isOpen(drawn[last]) && !drawn[last].includes(" refill ") ? last : -1;
}

// The cards drawn last are others: those of this turn, or else those of the turn before it.
export function redrawn(game, make) {
  if (game.pending.drawn.length) return withPending(game, { drawn: make(game.pending.drawn) });
  const last = game.turns.at(-1);
  return { ...game, turns: [...game.turns.slice(0, -1), { ...last, said: `draw ${make(drawnIn(last.said)).join(", ")}` }] };
}

export const drawnLast = (game) => (game.pending.drawn.length ? game.pending.drawn : drawnIn(game.turns.at(-1)?.said ?? ""));

export function withHeld(game, seat, ticket) {
  const mine = game.held[seat];
  const next = mine.includes(ticket) ? mine.filter((held) => held !== ticket) : [...mine, ticket];
  return { ...game, held: game.held.map((tickets, n) => (n === seat ? next : tickets)) };
}

export function routeWords(board, index) {
  const route = board.routes[index];
  const between = `${board.places[route.a].name}–${board.places[route.b].name}`;
  if (route.lines === 1) return between;
  return `${between} ${route.colour === "gray" ? `line ${route.line + 1}` : route.colour}`;
}

export const ownerOf = (game, index) => game.turns.findIndex((turn) => turn.route === index && turn.said.startsWith("claim"));

// What stands on the board, as the map paints it.
export function positionOf(game) {
  const seats = game.names.map((name) => ({ name, routes: [], stations: [], ports: [], passengers: {} }));
  game.turns.forEach(({ said, route, place }, n) => {
    const seat = seats[seatOf(game, n)];
    if (route !== null && said.startsWith("claim")) seat.routes.push(route);
    if (place !== null) seat[said.startsWith("station") ? "stations" : "ports"].push(place);
  });
  return { seats };
}

export function textOf(game, board) {
  const held = game.names.flatMap((name, n) => (game.held[n].length ? [`${name}: held ${game.held[n].map((ticket) => board.tickets[ticket].name).join(", ")}`] : []));
  const turns = game.turns.map(({ said }, n) => `${game.names[seatOf(game, n)]}: ${said}`);
  return [`edition ${game.edition}`, `players ${game.names.join(", ")}`, ...game.starts, ...turns, ...held, ""].join("\n");
}

// The line of the text in which a turn stands, from 1.
export const lineOf = (game, turn) => 3 + game.starts.length + turn;

// What a text begins with: {edition, names}, or null.
export function headOf(text) {
  const edition = /^\s*edition\s+(\S+)/im.exec(text)?.[1];
  const players = /^\s*players\s+(.+)$/im.exec(text)?.[1];
  return edition && players ? { edition: edition.toLowerCase(), names: players.split("#")[0].split(",").map(clean) } : null;
}

// The game that a text tells; the server reads it more closely.
export function gameOf(text, board) {
  const { edition, names } = headOf(text);
  let game = newGame(edition, names);
  const routes = new Map(board.routes.map((route) => [routeWords(board, route.index).toLowerCase(), route.index]));
  const tickets = new Map(board.tickets.map((ticket) => [ticket.name.toLowerCase(), ticket.index]));
  for (const line of text.split(/\r?\n/)) {
    const text = line.split("#")[0].trim();
    if (!text || /^(edition|players)\s/i.test(text)) continue;
    const colon = text.indexOf(":");
    const action = text.slice(colon + 1).trim();
    const seat = names.findIndex((name) => name.toLowerCase() === nameIn(text));
    if (/^start\b/i.test(action)) game = { ...game, starts: [...game.starts, text] };
    else if (/^held\s/i.test(action) && seat >= 0) {
      for (const name of action.slice(5).split(/[,;]/)) {
        const ticket = tickets.get(name.trim().toLowerCase());
        if (ticket !== undefined) game = withHeld(game, seat, ticket);
      }
    } else game = withTurn(game, { said: action, ...builtIn(action, routes, board) });
  }
  // the first seat is the one that begins
  return game;
}

function builtIn(action, routes, board) {
  const claim = /^(?:claim|withdraw)\s+(.+?)(?:\s+(?:with|turned|passengers?)\s.*)?$/i.exec(action);
  if (claim) return { route: routes.get(claim[1].toLowerCase()) ?? null };
  const built = /^(?:station|port)\s+(.+?)(?:\s+with\s.*)?$/i.exec(action);
  return built ? { place: board.place(built[1]) ?? null } : {};
}
