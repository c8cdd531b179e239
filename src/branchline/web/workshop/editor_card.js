// The card of what is chosen: all columns of its row, and what stands about it in other tables.

import { addition, change, newId, removal, renaming, rowsWith } from "./draft.js";

export function editorCard(editor) {
  const card = document.getElementById("card");
  const title = document.getElementById("card-title");
  const forms = new Map([...card.querySelectorAll("[data-card]")].map((form) => [form.dataset.card, form]));
  let opener = null; // where focus goes when the card is closed

  for (const [table, form] of forms) {
    form.addEventListener("change", (event) => changed(editor, table, event.target));
    form.addEventListener("submit", (event) => event.preventDefault());
  }
  document.getElementById("card-close").addEventListener("click", close);
  document.getElementById("delete")?.addEventListener("click", () => {
    editor.deleteSelected();
    back();
  });
  document.getElementById("parallel")?.addEventListener("click", () => addParallel(editor));
  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  });

  function close() {
    document.activeElement.blur(); // what was being typed counts
    editor.select(null, null);
    back();
  }

  function back() {
    wayBack(opener).focus();
    opener = null;
  }

  function show(selected, focus, from) {
    card.hidden = !selected;
    if (from) opener = from;
    draw();
    if (selected && focus) title.focus();
  }

  function draw() {
    const { selected, draft } = editor;
    if (!selected) return;
    const { table, row } = selected;
    title.textContent = editor.nameOf(table, row);
    for (const [name, form] of forms) form.hidden = name !== table;
    fillForm(forms.get(table), draft, table, draft.tables[table].get(row));
    const list = document.getElementById("card-faults");
    list.replaceChildren(...editor.troubles(table, row).map((fault) => item(fault.message)));
  }

  function nameIt() {
    const input = forms.get("cities").elements.name;
    input.focus();
    input.select();
  }

  return { show, draw, nameIt };
}

// What opened the card, as it is drawn now; where its row is gone, a row of the list that is shown, or its tab.
function wayBack(opener) {
  const target = opener && (opener.isConnected ? opener : document.querySelector(`[data-go="${CSS.escape(opener.dataset?.go ?? "")}"]`));
  const near = document.querySelector('[role=tabpanel]:not([hidden]) .rows button[tabindex="0"]');
  return target ?? near ?? document.querySelector("[role=tab][aria-selected=true]");
}

function fillForm(form, draft, table, cells) {
  for (const input of form.elements) if (input.name) fill(input, valueOf(draft, table, cells, input.name));
  for (const part of form.querySelectorAll("[data-when]")) part.hidden = !applies(part.dataset.when, draft, table, cells);
}

// What was typed or chosen in a field becomes a step.
function changed(editor, table, input) {
  const { draft, selected, say } = editor;
  if (!selected || selected.table !== table || !input.name) return;
  const { row } = selected;
  const name = editor.nameOf(table, row);
  const value = input.type === "checkbox" ? (input.checked ? input.value : "") : input.value.trim();
  const cells = draft.tables[table].get(row);
  if (value === valueOf(draft, table, cells, input.name)) return;
  if (table === "cities" && input.name === "name") return rename(editor, row, cells.name ?? "", value, input);
  const [other, column] = input.name.includes(".") ? input.name.split(".") : ["", input.name];
  const edits = other ? besideEdits(draft, table, cells, other, column, value) : [change(draft, table, row, { [column]: stored(table, column, value) })];
  if (!other && table === "routes" && column === "kind") edits[0] = change(draft, table, row, { kind: value, wilds: value === "ferry" ? cells.wilds || "1" : "", pairs: value === "rail" ? (cells.pairs ?? "") : "" });
  editor.perform(say("change", { name }), edits);
}

function rename(editor, row, old, name, input) {
  const { draft, say } = editor;
  if (!name) {
    editor.notice(say("needs_name"));
    return fill(input, old);
  }
  if (rowsWith(draft, "cities", "name", name).some(([other]) => other !== row)) {
    editor.notice(say("taken_name", { name }));
    return fill(input, old);
  }
  editor.perform(say("rename", { old: old || say("unnamed"), name }), renaming(draft, row, name));
}

function addParallel(editor) {
  const { draft, selected, say } = editor;
  if (selected?.table !== "routes") return;
  const cells = draft.tables.routes.get(selected.row);
  const at = [...draft.tables.routes.keys()].indexOf(selected.row) + 1;
  const edit = { table: "routes", row: newId("routes"), before: null, after: { ...cells, colour: otherColour(draft, cells) }, at };
  if (editor.perform(say("add", { name: say("route", { name: editor.nameOf("routes", selected.row) }) }), [edit])) editor.select("routes", edit.row, { focus: true });
}

// A colour of the cards that no line between these places has; gray where there is none, or the first one is gray.
function otherColour(draft, { city_a: a, city_b: b, colour }) {
  if ((colour ?? "gray") === "gray") return "gray";
  const joins = (cells) => (cells.city_a === a && cells.city_b === b) || (cells.city_a === b && cells.city_b === a);
  const taken = new Set([...draft.tables.routes.values()].filter(joins).map((cells) => cells.colour));
  const colours = Array.isArray(draft.settings.cards?.colours) ? draft.settings.cards.colours : [];
  const spaces = (name) => [...draft.tables.routes.values()].reduce((sum, route) => sum + (route.colour === name ? Number(route.length) || 0 : 0), 0);
  const free = colours.filter((colour) => typeof colour === "string" && !taken.has(colour));
  return free.sort((first, second) => spaces(first) - spaces(second))[0] ?? "gray";
}

// The default is not written.
function stored(table, column, value) {
  if (table === "cities" && column === "kind" && value === "city") return "";
  return value;
}

function valueOf(draft, table, cells, name) {
  if (!name.includes(".")) return cells[name] ?? { kind: { cities: "city", routes: "rail" }[table] }[name] ?? "";
  const [other, column] = name.split(".");
  return beside(draft, table, cells, other)?.[1][column] ?? "";
}

// The row of another table that belongs to this one.
function beside(draft, table, cells, other) {
  if (other !== "exits") return rowsWith(draft, other, other === "passengers" ? "city" : "name", cells.name ?? "")[0];
  const { country, city } = exitOf(draft, cells) ?? {};
  return [...draft.tables.exits].find(([, exit]) => exit.country === country && exit.city === city);
}

function exitOf(draft, { city_a: a, city_b: b }) {
  const isCountry = (name) => rowsWith(draft, "cities", "name", name ?? "")[0]?.[1].kind === "country";
  if (isCountry(a)) return { country: a, city: b };
  return isCountry(b) ? { country: b, city: a } : null;
}

function besideEdits(draft, table, cells, other, column, value) {
  const known = beside(draft, table, cells, other);
  if (known) {
    const edit = change(draft, other, known[0], { [column]: value });
    const key = other === "exits" ? ["country", "city"] : [other === "passengers" ? "city" : "name"];
    const left = Object.keys(edit.after).some((name) => !key.includes(name));
    return [left ? edit : removal(draft, other, known[0])];
  }
  if (!value) return [];
  const key = other === "exits" ? exitOf(draft, cells) : other === "passengers" ? { city: cells.name } : { name: cells.name };
  return key ? [addition(other, { ...key, [column]: value })] : [];
}

function applies(when, draft, table, cells) {
  if (when === "layout") return draft.tables.layout.size > 0;
  if (when === "passengers") return Boolean(draft.settings.passengers) || draft.tables.passengers.size > 0;
  if (when === "ferry") return cells.kind === "ferry" || Boolean(cells.wilds);
  if (when === "rail") return (cells.kind ?? "rail") === "rail" || Boolean(cells.pairs);
  if (when === "exit") return exitOf(draft, cells) !== null;
  if (when === "decks") return severalDecks(draft) || Boolean(cells?.deck);
  return true;
}

export function severalDecks(draft) {
  return Array.isArray(draft.settings.tickets?.decks) && draft.settings.tickets.decks.length > 1;
}

// What somebody is typing is not written over.
export function fill(input, value) {
  if (input === document.activeElement && input.dataset.shown === value) return;
  if (input.type === "checkbox") input.checked = value === input.value;
  else if (input.tagName === "SELECT") {
    for (const odd of input.querySelectorAll("[data-odd]")) if (odd.value !== value) odd.remove();
    if (![...input.options].some((option) => option.value === value)) {
      const odd = new Option(value || "–", value); // what no such cell may hold is shown all the same
      odd.dataset.odd = "";
      input.append(odd);
    }
    input.value = value;
  } else if (input.value !== value) input.value = value;
  input.dataset.shown = value;
}

export function item(text, kind = "") {
  const node = document.createElement("li");
  node.textContent = text;
  if (kind) node.className = kind;
  return node;
}
