// Counting a game at the table: which count is open, and what a press does to it. The position is a value; every change
// is kept in this browser before anything is drawn of it.

import { address } from "../core/browser/address.js";
import { stayAwake } from "../core/browser/awake.js";
import { engine } from "../core/browser/engine.js";
import { keyboard } from "../core/browser/keyboard.js";
import { notice } from "../core/browser/notice.js";
import { beginPage } from "./begin.js";
import { boardNamed, keepForLater } from "../core/browser/desk/boards.js";
import { ask } from "../core/browser/desk/choose.js";
import { badge, byId, element } from "../core/browser/desk/elements.js";
import { noteEvening, sendEvenings } from "./evenings.js";
import { followOthers, keep, keptCount, newId } from "../core/browser/desk/kept.js";
import { linkTo, recordIn } from "../core/browser/desk/link.js";
import { countMap } from "../core/browser/desk/map.js";
import { PANELS, placeToggled, routeToggled, sumOf, toolsOf } from "./panels.js";
import { pictureOf } from "./picture.js";
import { emptyPosition, notesOn, Refusal, withName } from "../core/browser/desk/position.js";
import { meant } from "../core/browser/desk/pressed.js";
import { positionOf, recordOf } from "./record.js";
import { resultOf } from "./result.js";
import { scored } from "./scoring.js";
import { tableOf } from "../core/browser/desk/table.js";
import { plainMinus, say, start } from "../core/browser/desk/words.js";

const MOST_UNDONE = 200;
const map = countMap(byId("stage"), byId("ground"), byId("board"));
const begin = beginPage({ begun, opened: openRecord });

let open = null; // {id, board, position, sheet, seat, tool, undone}: the count that is open

stayAwake(() => open);

// ------------------------------------------------------------------------------------------------ which count

addEventListener("hashchange", follow);
followOthers((id) => {
  if (open?.id === id) reread();
  else if (!open) begin.refresh();
});

// What the address names: a count of this browser, one that somebody shared, or none.
async function follow() {
  const id = /^#c=(\w{1,24})$/.exec(location.hash)?.[1];
  if (id && id === open?.id) return;
  const record = id ? keptCount(id)?.record : await recordIn(location.hash);
  if (record) await openRecord(record, id ?? null, !id && record.seats?.some?.((seat) => seat?.routes?.length));
  else {
    if (location.hash.length > 1) notice(say("bad_link"), true);
    close();
  }
}

function close() {
  open = null;
  document.body.dataset.view = "begin";
  byId("begin").hidden = false;
  byId("counting").hidden = true;
  byId("undo").hidden = true;
  byId("title").textContent = say("title");
  document.title = `${say("title")} · branchline`;
  begin.refresh();
}

async function begun(edition, names) {
  const board = await boardCounted(edition);
  if (!board) return;
  const id = newId();
  show({ id, board, position: emptyPosition(names), tool: "routes" });
  save();
  location.hash = `c=${id}`;
}

// A board with the table on which the engine counts; null when it cannot be had, which has been said then.
async function boardCounted(edition) {
  const board = await boardNamed(edition);
  if (!board) return null;
  try {
    board.table ??= tableOf(await engine(), board);
    return board;
  } catch {
    notice(say("no_engine"), true);
    return null;
  }
}

// A record from a file, a link or this browser. `shared`: nothing is kept before something is changed.
async function openRecord(record, id = null, shared = false) {
  const board = await boardCounted(record?.edition);
  if (!board) return;
  try {
    const position = positionOf(board, record);
    show({ id: id ?? newId(), board, position, tool: shared ? "result" : "routes", shared });
    if (shared) return;
    if (!id) save();
    location.hash = `c=${open.id}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notice(`${say("unreadable")} ${say(error.key, error.fields)}`, true);
    close();
  }
}

function reread() {
  const record = keptCount(open.id)?.record;
  if (!record) return;
  try {
    const before = JSON.stringify(recordOf(open.board, open.position));
    if (JSON.stringify(record) !== before) open.undone = []; // they lack what another page has done since
    open.position = positionOf(open.board, record);
    open.seat = Math.min(open.seat, open.position.seats.length - 1);
    render();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function save() {
  if (!keep(open.id, recordOf(open.board, open.position))) notice(say("not_kept"), true);
}

// ------------------------------------------------------------------------------------------------ changes

// `made`: from the position as it is kept now (another tab may have gone on) to the next one.
function change(deed) {
  const record = open.shared ? null : keptCount(open.id)?.record;
  if (record && JSON.stringify(record) !== JSON.stringify(recordOf(open.board, open.position))) reread();
  const before = open.position;
  try {
    const after = deed(before);
    if (after === before) return;
    open.undone.push(before);
    if (open.undone.length > MOST_UNDONE) open.undone.shift();
    open.position = after;
    if (open.shared) {
      open.shared = false;
      history.replaceState(null, "", `#c=${open.id}`);
    }
    save();
    tell(warned(before, after));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell(say(error.key, error.fields), true);
  }
  render();
}

// What a change has broken of the rules of play, said at once.
function warned(before, after) {
  const old = new Set(notesOn(open.board, before).map((note) => JSON.stringify(note)));
  const fresh = notesOn(open.board, after).filter((note) => !old.has(JSON.stringify(note)));
  return fresh.map(([key, fields]) => say(`note_${key}`, fields)).join(" ");
}

function undo() {
  const before = open?.undone.pop();
  if (!before) return;
  open.position = before;
  save();
  tell("");
  render();
}

let toldRefusal = false;

function tell(text, refused = false) {
  const status = byId("told");
  status.textContent = text;
  status.classList.toggle("refused", refused);
  toldRefusal = refused;
}

function toggleRoute(index) {
  ask(map, open.board, []);
  const { board, seat } = open;
  const had = open.position.seats[seat].routes.includes(index);
  change((now) => routeToggled(board, now, seat, index));
  if (!toldRefusal && !byId("told").textContent) tell(say(had ? "taken_back" : "added", { route: board.routes[index].name, count: board.routes[index].points }));
}

function togglePlace(index) {
  ask(map, open.board, []);
  const { board, seat, tool } = open;
  change((now) => placeToggled(board, now, seat, tool, index));
}

// ------------------------------------------------------------------------------------------------ presses on the map

byId("stage").addEventListener("click", (event) => {
  const places = open.tool === "stations" || open.tool === "ports";
  if (!places && open.tool !== "routes") return;
  let candidates = map.near(event, places ? "place" : "route", open.position, open.seat);
  if (places) candidates = candidates.filter(({ index }) => (open.tool === "ports" ? open.board.places[index].port : open.board.places[index].kind === "city") || candidates.length === 1);
  const choices = meant(candidates);
  if (!choices.length) return tell(say("nothing_near"), true);
  const toggle = places ? togglePlace : toggleRoute;
  if (choices.length > 1) return ask(map, open.board, choices, toggle);
  toggle(choices[0].index);
});

// ------------------------------------------------------------------------------------------------ drawing the page

function show(count) {
  open = { seat: 0, undone: [], shared: false, ...count };
  document.body.dataset.view = "counting";
  byId("begin").hidden = true;
  byId("counting").hidden = false;
  byId("undo").hidden = false;
  map.show(open.board);
  tell(say(open.shared ? "shared_count" : "first_hint"));
  render();
  map.fit();
}

function render() {
  open.sheet = scored(open.board, open.position);
  byId("title").textContent = open.board.title;
  document.title = `${open.board.title} · ${say("title")} · branchline`;
  document.body.dataset.tool = open.tool;
  byId("undo").disabled = !open.undone.length;
  map.paint(open.position);
  renderPlayers();
  renderTools();
  renderPanel();
}

function renderPlayers() {
  const { position, sheet, seat } = open;
  const focused = document.activeElement?.dataset?.seat;
  byId("players").replaceChildren(
    ...position.seats.map((one, n) => {
      const { total } = sheet.seats[n];
      const name = say("player_points", { name: one.name, count: total });
      return element("button", { type: "button", class: `player p-${n}`, "data-seat": n, "aria-pressed": String(n === seat), "aria-label": name, click: () => choose(n) }, badge(n), element("span", { class: "name" }, one.name), element("b", {}, plainMinus(total)));
    }),
  );
  if (focused !== undefined) byId("players").children[focused]?.focus();
}

function choose(seat) {
  open.seat = seat;
  ask(map, open.board, []);
  render();
}

function renderTools() {
  const { board, tool } = open;
  const had = byId("tools").contains(document.activeElement);
  byId("tools").replaceChildren(
    ...toolsOf(board).map((name) => element("button", { type: "button", "data-tool": name, "aria-pressed": String(name === tool), click: () => turnTo(name) }, name === "result" ? say("result") : start.parts[name])),
  );
  if (had) byId("tools").querySelector("[aria-pressed=true]").focus();
}

function turnTo(tool) {
  open.tool = tool;
  ask(map, open.board, []);
  map.light("");
  tell("");
  render();
  byId("entry").scrollTop = 0;
  map.fit();
}

function renderPanel() {
  const panel = byId("entry");
  const focused = document.activeElement;
  const again = panel.contains(focused) ? focused.id || (focused.dataset.ticket ? `[data-ticket="${focused.dataset.ticket}"]` : "") : null;
  const typed = [...panel.querySelectorAll("input[type=search]")].map((field) => field.value);
  const scrolled = panel.scrollTop;
  const desk = { ...open, change, tell, toggleRoute, togglePlace };
  panel.dataset.tool = open.tool;
  panel.replaceChildren(...(open.tool === "result" ? [...resultOf(open), byId("result-tools").content.cloneNode(true)] : [...PANELS[open.tool](desk).filter(Boolean), sumOf(desk)]));
  const field = panel.querySelector("input[type=search]");
  if (field && typed[0]) {
    field.value = typed[0];
    field.dispatchEvent(new Event("input"));
  }
  panel.scrollTop = scrolled;
  if (again) (again.startsWith("[") ? panel.querySelector(again) : byId(again))?.focus({ preventScroll: true });
}

// ------------------------------------------------------------------------------------------------ buttons

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest?.(selector);
  if (on("#undo")) undo();
  const act = on("[data-act]")?.dataset.act;
  if (act && open) ACTS[act]();
  const lit = on("#entry [data-highlights]");
  if (lit && open?.tool === "result") {
    const again = lit.classList.contains("shown");
    for (const other of document.querySelectorAll("#entry .shown")) other.classList.remove("shown");
    lit.classList.toggle("shown", !again);
    map.light(again ? "" : lit.dataset.highlights, true);
  }
});
for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const lit = event.target.closest?.("#entry [data-highlights], #choose button");
    if (open && open.tool !== "result" && lit?.dataset.highlights) map.light(lit.dataset.highlights);
    else if (open && open.tool !== "result") map.light("");
  });
}

const ACTS = {
  async share() {
    const link = `${location.origin}${address("/count")}${await linkTo(recordOf(open.board, open.position))}`;
    await handOver({ title: document.title, url: link }, async () => {
      await navigator.clipboard.writeText(link);
      notice(say("copied"));
    }, link);
  },
  async picture() {
    try {
      const blob = await pictureOf({ ...open, svg: map.svg, title: open.board.title });
      const file = new File([blob], `${open.board.edition}.png`, { type: "image/png" });
      if (navigator.canShare?.({ files: [file] })) await handOver({ files: [file] }, () => saveFile(blob, file.name));
      else saveFile(blob, file.name);
    } catch {
      notice(say("no_picture"), true);
    }
  },
  async evening() {
    try {
      noteEvening(open.id, recordOf(open.board, open.position));
    } catch {
      return notice(say("not_kept"), true);
    }
    const came = await sendEvenings();
    if (came === "kept") notice(say("evening_kept"));
    else if (came === "waiting") notice(say("evening_waits"));
    else notice(`${say("evening_refused")} ${came}`, true);
  },
  file() {
    const text = JSON.stringify(recordOf(open.board, open.position), null, 1);
    saveFile(new Blob([text], { type: "application/json" }), `${open.board.edition}.json`);
  },
  names() {
    byId("name-fields").replaceChildren(...open.position.seats.map((seat, n) => element("label", {}, element("span", {}, say("player", { number: n + 1 })), element("input", { name: `name${n}`, value: seat.name, maxlength: 40, autocomplete: "off" }))));
    byId("names").showModal();
  },
};

byId("names").addEventListener("close", () => {
  if (byId("names").returnValue !== "keep") return;
  const names = [...byId("name-fields").querySelectorAll("input")].map((field) => field.value);
  change((now) => {
    let after = now;
    now.seats.forEach((_, n) => (after = withName(after, n, `\u2060${n}`))); // so that two can change places
    names.forEach((name, n) => (after = withName(after, n, name)));
    return after;
  });
});

async function handOver(content, otherwise, shown = "") {
  try {
    if (navigator.share) await navigator.share(content);
    else await otherwise();
  } catch (error) {
    if (error.name === "AbortError") return; // thought better of it
    if (shown) notice(shown, true); // to be copied by hand
    else await otherwise();
  }
}

function saveFile(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

await follow();
document.body.toggleAttribute("data-live", true);
keepForLater(address("/count"));
sendEvenings();
addEventListener("online", () => sendEvenings());
keyboard({ map: { zoom: (by) => map.zoom(by), fit: () => map.fit(), show: () => {} }, openHelp: () => {} });
