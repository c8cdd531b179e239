// The editor of the workshop: what is pressed becomes a step, a step changes the draft, and everything is drawn of it.

import { rememberBoard } from "../core/browser/recent_boards.js";
import { addition, applied, change, fitted, Misfit, newId, removal, removing, removingPlace, renaming, rowsWith, settingEdit, undone } from "./draft.js";
import { keeping } from "./draft_keeping.js";
import { offSheet, pointsOf } from "./draft_sheet.js";
import { editorAdding } from "./editor_adding.js";
import { editorCard } from "./editor_card.js";
import { editorDialogs } from "./editor_dialogs.js";
import { editorFindings } from "./editor_findings.js";
import { editorKeyboard } from "./editor_keyboard.js";
import { editorLists } from "./editor_lists.js";
import { editorMap } from "./editor_map.js";
import { editorRules } from "./editor_rules.js";
import { editorSuggestions } from "./editor_suggestions.js";
import { editorTabs } from "./editor_tabs.js";
import { editorTowns } from "./editor_towns.js";
import { notice } from "../core/browser/notice.js";
import { worded } from "../core/browser/wording.js";

const start = JSON.parse(document.getElementById("start").textContent);
const content = JSON.parse(document.getElementById("content").textContent);
const MOST_STEPS = 400;
const SPACE = 46; // px of the sheet that a space takes, for the first guess of a length
const PATIENCE = 1_500; // ms for a suggestion; then a guess must do
const CHECK_AFTER = 500; // ms after a save

const texts = start.texts;

function say(key, fields = {}) {
  return worded(texts[key], fields);
}

let ground = { width: 1600, height: 900, bounds: [-170, -56, 190, 74], paths: {} };
let groundKey = "";
let selected = null; // {table, row}
let tool = "select";
let toPlace = ""; // the name of the place that the next press puts down
let first = null; // of a route that is being drawn: row of its first place
let checked = { version: -1, findings: [] };
let done = [];
let redone = [];
let checking;

const keeper = await keeping({
  path: start.path,
  id: start.id,
  csrf: start.csrf,
  version: start.version,
  content,
  mayEdit: start.mayEdit,
  told: showState,
  changed: (lost) => {
    if (lost.length) notice(say("lost", { names: lost.join(", ") }), true);
    render();
    checkSoon();
  },
});

const editor = {
  start,
  say,
  get draft() {
    return keeper.draft;
  },
  get ground() {
    return ground;
  },
  get findings() {
    return checked.findings;
  },
  get selected() {
    return selected;
  },
  settled: () => keeper.settled(),
  perform,
  placeNext,
  select,
  notice,
  hint,
  troubles,
  nameOf,
  deleteSelected,
};

// ------------------------------------------------------------------------------------------------ steps

// Do something: at once here, soon on the server. False: it did not fit.
function perform(name, edits) {
  if (!start.mayEdit || !edits.length) return false;
  const step = { name: name.slice(0, 120), edits };
  try {
    applied(keeper.draft, step);
  } catch (error) {
    if (error instanceof Misfit) return false;
    throw error;
  }
  keeper.add(step);
  done.push(step);
  if (done.length > MOST_STEPS) done.shift();
  redone = [];
  afterStep();
  return true;
}

function afterStep() {
  keeper.keepHistory({ done, redone });
  render();
}

function goBack(from, to, key) {
  const step = from.at(-1);
  if (!step) return;
  const back = fitted(keeper.draft, undone(step));
  from.pop();
  if (!back?.edits.length) {
    notice(say("cannot_undo"));
    return afterStep();
  }
  back.name = step.name;
  keeper.add(back);
  to.push(undone(back));
  hint(say(key, { name: step.name }));
  afterStep();
}

const undo = () => goBack(done, redone, "undone");
function redo() {
  const step = redone.pop();
  if (!step) return;
  const again = fitted(keeper.draft, step);
  if (!again?.edits.length) {
    notice(say("cannot_undo"));
    return afterStep();
  }
  keeper.add(again);
  done.push(again);
  hint(say("redone", { name: step.name }));
  afterStep();
}

// ------------------------------------------------------------------------------------------------ what is chosen

function select(table, row, { focus = false, from = null } = {}) {
  selected = row && keeper.draft.tables[table]?.has(row) ? { table, row } : null;
  card.show(selected, focus, from);
  render();
  if (selected && focus) map.show(selected.row);
}

function deleteSelected() {
  if (!selected) return;
  const { table, row } = selected;
  const name = nameOf(table, row);
  const edits = table === "cities" ? removingPlace(keeper.draft, row) : removing(keeper.draft, rowsGoing(table, row));
  selected = null;
  perform(say("delete", { name }), edits);
  card.show(null);
  hint(say("deleted", { name }));
}

// A route into a country takes its exit along, unless a parallel one stays.
function rowsGoing(table, row) {
  const rows = [[table, row]];
  if (table !== "routes") return rows;
  const { city_a: a, city_b: b } = keeper.draft.tables.routes.get(row);
  const joins = (cells) => (cells.city_a === a && cells.city_b === b) || (cells.city_a === b && cells.city_b === a);
  if ([...keeper.draft.tables.routes].some(([other, cells]) => other !== row && joins(cells))) return rows;
  for (const [exit, cells] of keeper.draft.tables.exits) {
    if ((cells.country === a && cells.city === b) || (cells.country === b && cells.city === a)) rows.push(["exits", exit]);
  }
  return rows;
}

function nameOf(table, row) {
  const cells = keeper.draft.tables[table].get(row) ?? {};
  if (table === "cities") return cells.name || say("unnamed");
  if (table === "tours") return (cells.cities ?? "").split(">").join(" – ") || say("unnamed");
  return `${cells.city_a || "?"}–${cells.city_b || "?"}`;
}

// ------------------------------------------------------------------------------------------------ on the map

// Where a place lies on the sheet, as cells of its row or of the table `layout`.
function positionEdits(row, name, sheet, point) {
  const draft = keeper.draft;
  const [x, y] = point;
  if (x < 0 || y < 0 || x > sheet.width || y > sheet.height) return null;
  if (sheet.bounds) {
    const [lat, lon] = offSheet(sheet, point);
    return change(draft, "cities", row, { lat: lat.toFixed(4), lon: lon.toFixed(4), nudge_x: "", nudge_y: "" });
  }
  const cells = { x: (x / sheet.width).toFixed(4), y: (y / sheet.height).toFixed(4) };
  const laid = rowsWith(draft, "layout", "name", name)[0];
  return laid ? change(draft, "layout", laid[0], cells) : addition("layout", { name, ...cells });
}

function placeMoved(row, sheet, point) {
  const name = nameOf("cities", row);
  const edit = positionEdits(row, name, sheet, point);
  if (!edit) return notice(say("off_map", { name }));
  const edits = [edit];
  const cells = keeper.draft.tables.cities.get(row);
  if (edit.table === "layout" && (cells.nudge_x || cells.nudge_y)) edits.push(change(keeper.draft, "cities", row, { nudge_x: "", nudge_y: "" }));
  perform(say("move", { name }), edits);
}

// By so many px of the sheet; a place that lies nowhere yet begins in the middle.
function moveBy(row, [dx, dy]) {
  const [x, y] = pointsOf(keeper.draft, ground).get(row) ?? [ground.width / 2, ground.height / 2];
  placeMoved(row, ground, [x + dx, y + dy]);
  hint(say("moved", { name: nameOf("cities", row) }));
  map.show(row);
  return true;
}

function freshName() {
  const names = new Set([...keeper.draft.tables.cities.values()].map((cells) => cells.name));
  let n = keeper.draft.tables.cities.size + 1;
  while (names.has(say("new_place", { number: n }))) n++;
  return say("new_place", { number: n });
}

function placeAt(sheet, point) {
  const [x, y] = point;
  if (x < 0 || y < 0 || x > sheet.width || y > sheet.height) return;
  if (full("cities")) return;
  const name = toPlace || freshName();
  const kind = document.getElementById("pen-kind").value;
  const cells = { name, kind: kind === "city" ? "" : kind };
  const edits = [];
  if (sheet.bounds) {
    const [lat, lon] = offSheet(sheet, point);
    Object.assign(cells, { lat: lat.toFixed(4), lon: lon.toFixed(4) });
  } else edits.push(addition("layout", { name, x: (x / sheet.width).toFixed(4), y: (y / sheet.height).toFixed(4) }));
  edits.unshift(addition("cities", cells));
  perform(say("add", { name }), edits);
  select("cities", edits[0].row);
  if (toPlace) {
    chooseTool("select");
    document.querySelector("[data-add=cities]")?.reset();
    return hint(say("added", { name }));
  }
  hint(say("placed", { name }));
  card.nameIt();
}

function pressed(table, row) {
  if (tool === "route" && table === "cities") {
    if (first && first !== row) {
      const from = first;
      first = null;
      return join(from, row);
    }
    first = first === row ? null : row;
    if (first) hint(say("first_end", { name: nameOf("cities", row) }), true);
    return render();
  }
  first = null;
  select(table, row);
}

function join(from, to) {
  const [a, b] = [from, to].map((row) => keeper.draft.tables.cities.get(row)?.name);
  first = null;
  if (!a || !b || a === b) return notice(say("two_places"));
  addRoute(a, b, { kind: document.getElementById("pen-route").value, colour: document.getElementById("pen-colour").value });
}

// ------------------------------------------------------------------------------------------------ new rows

function full(table) {
  const used = table === "tickets" || table === "tours" ? keeper.draft.tables.tickets.size + keeper.draft.tables.tours.size : keeper.draft.tables[table].size;
  const most = start.most[table === "tours" ? "tickets" : table];
  if (used >= most) notice(say("full", { most }));
  return used >= most;
}

// Length and colour that are left open are asked of the server; where it is away, guessed.
async function addRoute(a, b, { length = "", colour = "", kind = "rail" }, selecting = true) {
  if (full("routes")) return null;
  const open = (!length && !parallelTo(a, b)) || !colour;
  const suggestion = open ? await suggestedRoute(a, b, kind, length) : {};
  const cells = { city_a: a, city_b: b, length: length || parallelTo(a, b)?.length || suggestion.length || guessedLength(a, b), colour: colour || suggestion.colour || "gray", kind };
  if (kind === "ferry") cells.wilds = "1";
  const edit = addition("routes", cells);
  if (!perform(say("add", { name: say("route", { name: `${a}–${b}` }) }), [edit])) return null;
  if (selecting) select("routes", edit.row);
  hint(say("added", { name: `${a}–${b}, ${cells.length}, ${start.colours[cells.colour] ?? cells.colour}` }));
  return edit.row;
}

async function suggestedRoute(a, b, kind, length) {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    await Promise.race([keeper.settled(), new Promise((_, reject) => signal.addEventListener("abort", reject))]);
    const answer = await fetch(`${start.path}/suggest/route?${new URLSearchParams({ a, b, kind, length })}`, { signal });
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

function parallelTo(a, b) {
  return [...keeper.draft.tables.routes.values()].find((cells) => (cells.city_a === a && cells.city_b === b) || (cells.city_a === b && cells.city_b === a));
}

// By the distance on the sheet.
function guessedLength(a, b) {
  const points = pointsOf(keeper.draft, ground);
  const [from, to] = [a, b].map((name) => points.get(rowsWith(keeper.draft, "cities", "name", name)[0]?.[0]));
  if (!from || !to) return "1";
  return String(Math.min(Math.max(Math.round(Math.hypot(from[0] - to[0], from[1] - to[1]) / SPACE), 1), 6));
}

// ------------------------------------------------------------------------------------------------ checking

function troubles(table, row) {
  return checked.findings.filter((finding) => finding.table === table && finding.row === row);
}

function checkSoon() {
  clearTimeout(checking);
  checking = setTimeout(check, CHECK_AFTER);
}

async function check() {
  if (keeper.waiting || checked.version === keeper.version) return;
  verdict(say("checking"), true);
  try {
    const answer = await fetch(`${start.path}/check`);
    if (!answer.ok) throw new Error(String(answer.status));
    checked = await answer.json();
  } catch {
    verdict(say("no_check"));
    checking = setTimeout(check, 5_000);
    return;
  }
  render();
  if (checked.version !== keeper.version) checkSoon();
}

let announced = "";
function verdict(text, quiet = false) {
  const box = document.getElementById("verdict");
  box.classList.toggle("busy", quiet);
  if (quiet) return;
  const faults = checked.findings.filter((finding) => !finding.advice).length;
  box.classList.toggle("bad", faults > 0);
  if (text !== announced) box.textContent = announced = text; // said aloud only when it is another one
}

function showVerdict() {
  if (checked.version < 0) return;
  const faults = checked.findings.filter((finding) => !finding.advice).length;
  const advice = checked.findings.length - faults;
  const count = faults ? say("faults", { count: faults }) : say("sound");
  verdict(advice ? `${count} · ${say("advice", { count: advice })}` : count);
}

// ------------------------------------------------------------------------------------------------ the ground

async function groundSoon() {
  const { settings, backdrop, tables } = keeper.draft;
  const layout = [...tables.layout.values()];
  // Without bounds of its own the window stays as it was while places come and go.
  const key = JSON.stringify([settings.map ?? null, layout.length ? [layout, [...tables.cities.values()].map((city) => [city.name, city.lat, city.lon])] : 0, backdropMark(backdrop)]);
  if (key === groundKey) return;
  groundKey = key;
  try {
    await keeper.settled();
    const answer = await fetch(`${start.path}/ground`);
    if (!answer.ok) throw new Error(String(answer.status));
    const fetched = await answer.json();
    if (key !== groundKey) return; // another one is on its way
    ground = fetched;
    render();
  } catch {
    setTimeout(() => {
      if (key === groundKey) groundKey = "";
      groundSoon();
    }, 5_000);
  }
}

const marks = new WeakMap();
let nextMark = 0;
function backdropMark(backdrop) {
  if (!backdrop) return 0;
  if (!marks.has(backdrop)) marks.set(backdrop, ++nextMark);
  return marks.get(backdrop);
}

// ------------------------------------------------------------------------------------------------ showing

const HINTED = 8000; // milliseconds
let fading;

// What was done fades; what is to be done next stays.
function hint(text, lasting = false) {
  const box = document.getElementById("hint");
  box.textContent = text;
  clearTimeout(fading);
  if (text && !lasting) fading = setTimeout(() => (box.textContent = ""), HINTED);
}

function showState(state, why = "") {
  const box = document.getElementById("state");
  if (!start.mayEdit) return;
  const text = say(state, { why });
  if (box.textContent !== text) box.textContent = text;
  box.dataset.state = state;
  box.setAttribute("aria-live", state === "saved" || state === "saving" ? "off" : "polite"); // only trouble is said aloud
  if (state === "saved") checkSoon();
}

function showSteps() {
  for (const [id, steps, key] of [["undo", done, "undo"], ["redo", redone, "redo"]]) {
    const button = document.getElementById(id);
    if (!button) return;
    button.disabled = !steps.length;
    const text = steps.length ? say(key, { name: steps.at(-1).name }) : say(`nothing_to_${key}`);
    button.title = text;
    button.querySelector(".vh").textContent = text;
  }
}

function render() {
  if (selected && !keeper.draft.tables[selected.table].has(selected.row)) {
    selected = null;
    card.show(null);
  }
  const { title: printed, titles } = keeper.draft.settings;
  const title = titles?.[document.documentElement.lang] ?? printed;
  const heading = typeof title === "string" && title ? title : say("untitled");
  if (document.getElementById("title").textContent !== heading) document.getElementById("title").textContent = heading;
  document.title = `${heading} · branchline`;
  const troubled = new Set(checked.findings.filter((finding) => finding.row).map((finding) => finding.row));
  map.draw({ draft: keeper.draft, ground, tool, selected, troubled, lit: litBy(), mayEdit: start.mayEdit });
  for (const part of drawn) part.draw();
  showSteps();
  showVerdict();
  remember(heading);
  groundSoon();
}

// The places of a ticket that is chosen, and the first end of a route.
function litBy() {
  const lit = new Set();
  if (first) lit.add(keeper.draft.tables.cities.get(first)?.name);
  const cells = selected && keeper.draft.tables[selected.table].get(selected.row);
  if (selected?.table === "tickets") lit.add(cells.city_a).add(cells.city_b);
  if (selected?.table === "tours") for (const city of (cells.cities ?? "").split(">")) lit.add(city.trim());
  return lit;
}

function remember(title) {
  rememberBoard({ id: start.id, path: start.path, title, edit: start.mayEdit });
}

// ------------------------------------------------------------------------------------------------ beginning

const map = editorMap(document.getElementById("stage"), {
  selected: (table, row) => pressed(table, row),
  moved: placeMoved,
  placed: placeAt,
  joined: join,
});
const card = editorCard(editor);
const tabs = editorTabs();
const drawn = [card, editorLists(editor), editorFindings(editor, tabs), editorSuggestions(editor), editorRules(editor)];
editorAdding(editor, { addRoute, full, towns: editorTowns(editor) });
editorDialogs(editor);

for (const box of document.querySelectorAll("[name=tool]")) {
  box.addEventListener("change", () => chooseTool(box.value));
}
// The next press on the map puts down a place of this name.
function placeNext(name, message) {
  chooseTool("place");
  toPlace = name;
  hint(message, true);
}

function chooseTool(name) {
  tool = name;
  first = null;
  toPlace = "";
  document.querySelector(`[name=tool][value=${name}]`).checked = true;
  render();
}

document.getElementById("undo")?.addEventListener("click", undo);
document.getElementById("redo")?.addEventListener("click", redo);
document.addEventListener("click", (event) => {
  const zoom = event.target.closest?.("[data-zoom]")?.dataset.zoom;
  if (zoom === "fit") map.fit();
  else if (zoom) map.zoom(zoom === "in" ? 1.5 : 1 / 1.5);
});
editorKeyboard({ editor, undo, redo, chooseTool, tabs, moveBy });

if (start.mayEdit) {
  ({ done = [], redone = [] } = (await keeper.history()) ?? {});
  await keeper.recover();
}
render();
if (!keeper.waiting) {
  if (start.mayEdit) showState("saved");
  check();
}
document.body.toggleAttribute("data-live", true);
