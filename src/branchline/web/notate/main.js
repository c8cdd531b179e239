// Noting a game turn by turn. The game is a value; every change is kept in this browser before anything is drawn of it.
// Whether it can have been so is asked of the server, as soon as there is one.

import { address, storedAs } from "../core/browser/address.js";
import { stayAwake } from "../core/browser/awake.js";
import { notice } from "../core/browser/notice.js";
import { boardNamed, keepForLater } from "../core/browser/desk/boards.js";
import { ask } from "../core/browser/desk/choose.js";
import { badge, byId, element } from "../core/browser/desk/elements.js";
import { newId } from "../core/browser/desk/kept.js";
import { countMap } from "../core/browser/desk/map.js";
import { playersForm } from "../core/browser/desk/players_form.js";
import { meant } from "../core/browser/desk/pressed.js";
import { say, start } from "../core/browser/desk/words.js";
import { clean, gameOf, headOf, lineOf, newGame, ownerOf, positionOf, seatOf, textOf, withPending } from "./game.js";
import { PANELS, toolsOf } from "./panels.js";

const KEPT = storedAs("branchline notation");
const MOST_UNDONE = 400;
const PAUSE = 2500; // milliseconds without a press before the server is asked
const map = countMap(byId("stage"), byId("ground"), byId("board"));

let open = null; // {board, game, seat, tool, undone}

stayAwake(() => open);

// ------------------------------------------------------------------------------------------------ which game

async function show(game, tool = "cards") {
  const board = await boardNamed(game.edition);
  if (!board) return;
  open = { board, game: { ...game, id: game.id || newId() }, seat: seatOf(game), tool, undone: [] };
  document.body.dataset.view = "noting";
  byId("begin").hidden = true;
  byId("noting").hidden = false;
  map.show(board);
  save();
  render();
  map.fit();
}

async function openText(text) {
  const head = headOf(text);
  const edition = head && start.boards.find((candidate) => candidate.edition === head.edition);
  if (!edition || head.names.length < edition.seats[0] || head.names.length > edition.seats[1]) return notice(say("unread"), true);
  const board = await boardNamed(head.edition);
  if (board) await show(gameOf(text, board), "end");
}

function save() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(open.game));
  } catch {
    notice(say("not_kept"), true);
  }
}

function kept() {
  try {
    const game = JSON.parse(localStorage.getItem(KEPT));
    const complete = Array.isArray(game?.turns) && Array.isArray(game?.names) && Array.isArray(game?.held) && game.held.length === game.names.length;
    return complete && game.turns.every((turn) => typeof turn?.said === "string") ? game : null;
  } catch {
    return null;
  }
}

// Another tab may have gone on with the game, or begun another one: this one follows, and takes back nothing of that.
function follow() {
  const stored = kept();
  if (!open || !stored || JSON.stringify(stored) === JSON.stringify(open.game)) return;
  if (stored.id !== open.game.id) return show(stored, open.tool);
  open.game = stored;
  open.undone = [];
  if (open.tool !== "end") open.seat = seatOf(stored);
  render();
}

addEventListener("storage", (event) => event.key === KEPT && follow());

// ------------------------------------------------------------------------------------------------ changes

function change(deed) {
  follow();
  const before = open.game;
  const after = deed(before);
  if (after === before) return;
  open.undone.push(before);
  if (open.undone.length > MOST_UNDONE) open.undone.shift();
  open.game = after;
  save();
  const noted = after.turns.length > before.turns.length;
  if (noted) {
    const turn = after.turns.length - 1;
    tell(say("noted", { name: after.names[seatOf(after, turn)], what: after.turns[turn].said }));
    open.seat = seatOf(after);
    if (open.tool !== "end") open.tool = "cards";
  } else if (after.turns !== before.turns) tell(after.turns.at(-1).said);
  if (after.turns !== before.turns) checkSoon();
  render();
}

function undo() {
  if (!open) return;
  const before = open.undone.pop() ?? (open.game.turns.length ? { ...open.game, turns: open.game.turns.slice(0, -1) } : null);
  if (!before) return;
  const gone = open.game.turns[before.turns.length];
  open.game = before;
  open.seat = open.tool === "end" ? open.seat : seatOf(before);
  save();
  tell(gone ? say("taken_back", { what: gone.said }) : "");
  checkSoon();
  render();
}

function tell(text, refused = false) {
  byId("told").textContent = text;
  byId("told").classList.toggle("refused", refused);
}

function choose(index) {
  ask(map, open.board, []);
  if (open.tool === "route") {
    const turn = ownerOf(open.game, index);
    if (turn >= 0) return tell(say("taken_by", { route: open.board.routes[index].name, name: open.game.names[seatOf(open.game, turn)] }), true);
    change((now) => withPending(now, { route: index, paid: {}, turned: [], passengers: {} }));
  } else change((now) => withPending(now, { place: index, paid: {} }));
}

byId("stage").addEventListener("click", (event) => {
  if (!open || !["cards", "route", "build"].includes(open.tool)) return;
  if (open.tool === "cards") open.tool = "route"; // a route that is tapped is meant
  const places = open.tool === "build";
  let candidates = map.near(event, places ? "place" : "route", positionOf(open.game), seatOf(open.game));
  if (places) candidates = candidates.filter(({ index }) => (open.board.stations ? open.board.places[index].kind === "city" : open.board.places[index].port) || candidates.length === 1);
  const choices = meant(candidates);
  if (!choices.length) {
    render();
    return tell(say("nothing_near"), true);
  }
  if (choices.length > 1) return ask(map, open.board, choices, choose);
  choose(choices[0].index);
});

// ------------------------------------------------------------------------------------------------ the server

let waiting = 0;

function checkSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(check, PAUSE);
}

async function sent(goal, fields) {
  const { csrf } = await (await fetch(address("/evenings/form.json"), { cache: "no-store" })).json();
  const answer = await fetch(goal, { method: "POST", body: new URLSearchParams({ csrf, text: textOf(open.game, open.board), ...fields }) });
  return { ok: answer.ok, status: answer.status, ...(await answer.json().catch(() => ({}))) };
}

async function check() {
  const game = open?.game;
  if (!game?.turns.length || !navigator.onLine) return;
  const answer = await sent(address("/notate/check"), {}).catch(() => null);
  if (!answer || open?.game.turns !== game.turns) return;
  if (answer.ok) tell(say("fits", { count: game.turns.length }));
  else if (answer.why) tell(wrong(answer), true);
}

function wrong({ line, why }) {
  const turn = line - lineOf(open.game, 0);
  const text = open.game.turns[turn]?.said;
  return line ? `${say("wrong", { line, why })}${text ? ` (${text})` : ""}` : why;
}

const ACTS = {
  async make() {
    clearTimeout(waiting);
    tell(say("making"));
    const answer = await sent(address("/notate"), { id: open.game.id, at: String(Date.now() / 1000) }).catch(() => null);
    if (!answer) return tell(say("no_network"), true);
    if (answer.room) return location.assign(address(`/t/${answer.room}/replay/0`));
    tell(answer.over === false ? say("not_over") : answer.why ? wrong(answer) : String(answer.status), true);
  },
  async copy() {
    await navigator.clipboard.writeText(textOf(open.game, open.board));
  },
  anew() {
    if (!confirm(say("begin_anew"))) return;
    localStorage.removeItem(KEPT);
    location.reload();
  },
};

// ------------------------------------------------------------------------------------------------ drawing the page

function render() {
  const { board, game, tool } = open;
  const next = game.names[seatOf(game)];
  byId("title").textContent = tool === "end" ? board.title : say("turn_of", { name: next });
  document.title = `${board.title} · ${say("title")} · branchline`;
  document.body.dataset.tool = tool;
  document.body.dataset.decks = board.cards.length;
  byId("undo").disabled = !open.undone.length && !game.turns.length;
  map.paint(positionOf(game));
  map.light(tool === "route" && game.pending.route !== null ? `route-${game.pending.route}` : "");
  const seat = tool === "end" ? open.seat : seatOf(game);
  byId("players").replaceChildren(
    ...game.names.map((name, n) => element("button", { type: "button", class: `player p-${n}`, "aria-pressed": String(n === seat), disabled: tool !== "end", click: () => ((open.seat = n), render()) }, badge(n), element("span", { class: "name" }, name), element("b", {}, String(tool === "end" ? game.held[n].length : "")))),
  );
  const had = byId("tools").contains(document.activeElement);
  byId("tools").replaceChildren(...toolsOf(board).map((name) => element("button", { type: "button", "data-tool": name, "aria-pressed": String(name === tool), click: () => turnTo(name) }, say(name))));
  if (had) byId("tools").querySelector("[aria-pressed=true]").focus();
  const typed = byId("ticket-search")?.value;
  const scrolled = byId("entry").scrollTop;
  byId("entry").replaceChildren(...PANELS[tool]({ board, game, seat, change, choose, turnTo }).filter(Boolean));
  if (typed && byId("ticket-search")) {
    byId("ticket-search").value = typed;
    byId("ticket-search").dispatchEvent(new Event("input"));
  }
  byId("entry").scrollTop = scrolled;
  const area = document.querySelector("#as-text textarea");
  if (area) area.value = textOf(game, board);
}

function turnTo(tool) {
  open.tool = tool;
  open.seat = tool === "end" ? open.seat : seatOf(open.game);
  ask(map, open.board, []);
  tell("");
  render();
  byId("entry").scrollTop = 0;
  map.fit();
}

// ------------------------------------------------------------------------------------------------ the beginning

const form = playersForm({ clean, folded: (name) => name.toLowerCase() });
byId("new-game").addEventListener("submit", (event) => {
  event.preventDefault();
  show(newGame(form.edition.value, form.names()));
});

document.addEventListener("submit", (event) => {
  if (!["from-text", "as-text"].includes(event.target.id)) return;
  event.preventDefault();
  openText(new FormData(event.target).get("text"));
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#undo")) undo();
  const act = event.target.closest?.("[data-act]")?.dataset.act;
  if (act && open) ACTS[act]();
});

const game = kept();
if (game) await show(game);
document.body.toggleAttribute("data-live", true);
keepForLater(address("/notate"));
