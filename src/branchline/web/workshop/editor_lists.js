// The lists of the panel: places, routes and tickets, how many there are, and how many there may be.

import { unaccented } from "../core/browser/letters.js";
import { placeNames } from "./draft_places.js";
import { item, severalDecks } from "./editor_card.js";
import { redrawn } from "./editor_keyboard.js";
import { chip, hidden, placeLine, routeLine, rowLine, ticketLine } from "./editor_lines.js";

const NEARLY = 10; // rows: from here on the limit is said
const LISTS = [
  { list: "cities", tables: ["cities"], lineOfRow: placeLine, empty: "empty_places" },
  { list: "routes", tables: ["routes"], lineOfRow: routeLine, empty: "empty_routes" },
  { list: "tickets", tables: ["tickets", "tours"], lineOfRow: ticketLine, empty: "empty_tickets" },
];

export function editorLists(editor) {
  const searched = { cities: "", routes: "", tickets: "" };

  for (const input of document.querySelectorAll("[data-search]")) {
    input.addEventListener("input", () => {
      searched[input.dataset.search] = input.value;
      draw();
    });
  }

  function draw() {
    const { draft } = editor;
    offer("place-names", placeNames(draft));
    offer("deck-names", Array.isArray(draft.settings.tickets?.decks) ? draft.settings.tickets.decks : []);
    for (const part of document.querySelectorAll(".add [data-when=decks]")) part.hidden = !severalDecks(draft);
    for (const one of LISTS) {
      rows(editor, one, unaccented(searched[one.list]));
      limit(editor, one);
    }
    colourSums(editor);
  }

  return { draw };
}

const offered = {}; // by element: the names that it offers

function offer(id, names) {
  const key = names.join("\n");
  if (offered[id] === key) return;
  offered[id] = key;
  document.getElementById(id).replaceChildren(...names.map((name) => new Option(name, name)));
}

function rows(editor, { list, tables, lineOfRow, empty }, wanted) {
  const lines = [];
  for (const table of tables) {
    for (const [row, cells] of editor.draft.tables[table]) {
      const parts = lineOfRow(editor, table, cells);
      if (!wanted || unaccented(parts.map((part) => part.textContent).join(" ")).includes(wanted)) lines.push(rowLine(editor, table, row, parts));
    }
  }
  const none = editor.say(tables.every((table) => !editor.draft.tables[table].size) ? empty : "none_found");
  redrawn(document.getElementById(`rows-${list}`), lines.length ? lines : [item(none, "soft")]);
}

function limit({ draft, start, say }, { list, tables }) {
  const count = tables.reduce((sum, table) => sum + draft.tables[table].size, 0);
  const most = start.most[list];
  const left = most - count;
  document.getElementById(`count-${list}`).textContent = count ? String(count) : "";
  const box = document.getElementById(`limit-${list}`);
  box.textContent = say("count", { count, most }) + (left > 0 && left <= NEARLY ? ` · ${say("near_full", { count: left })}` : left <= 0 ? ` · ${say("full", { most })}` : "");
  box.classList.toggle("bad", left <= 0);
}

// Spaces of each colour, so that none is forgotten.
function colourSums({ draft, start, say }) {
  const sums = new Map();
  for (const cells of draft.tables.routes.values()) sums.set(cells.colour, (sums.get(cells.colour) ?? 0) + (Number(cells.length) || 0));
  const chips = Object.keys(start.colours).filter((name) => sums.get(name)).map((name) => {
    const sum = document.createElement("span");
    sum.className = "sum";
    sum.title = `${start.colours[name]}: ${say("spaces", { count: sums.get(name) })}`;
    sum.append(chip(name), hidden(`${start.colours[name]}: `), String(sums.get(name)));
    return sum;
  });
  document.getElementById("colour-balance").replaceChildren(...chips);
}
