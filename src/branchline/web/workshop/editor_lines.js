// The lines of the lists: what is read of a place, a route and a ticket, and the button that chooses it.

import { tourCities } from "./draft.js";

export function placeLine({ start, say }, _table, cells) {
  const parts = [word("b", cells.name || say("unnamed"))];
  if (cells.kind && cells.kind !== "city") parts.push(word("em", start.kinds[cells.kind] ?? cells.kind));
  if (cells.port === "yes") parts.push(word("em", "⚓"));
  return parts;
}

export function routeLine({ start }, _table, cells) {
  const length = word("span", cells.length ?? "?");
  length.className = "number";
  const kind = cells.kind && cells.kind !== "rail" ? `${start.kinds[cells.kind] ?? cells.kind}, ` : "";
  return [
    chip(cells.colour in start.colours ? cells.colour : "gray"),
    length,
    word("b", `${cells.city_a ?? "?"}–${cells.city_b ?? "?"}`),
    word("em", kind + (start.colours[cells.colour] ?? cells.colour ?? "")),
  ];
}

export function ticketLine({ say }, table, cells) {
  const name = table === "tours" ? tourCities(cells).join(" – ") : `${cells.city_a ?? "?"}–${cells.city_b ?? "?"}`;
  const value = table === "tours" ? `${cells.value_in_order ?? "?"}/${cells.value_any_order ?? "?"}/−${cells.penalty ?? "?"}` : (cells.value ?? "?");
  return [word("b", name), word("em", `${cells.deck ? `${cells.deck}, ` : ""}${say("points_of", { count: value })}`)];
}

// A line of a list: a press chooses the row, and a mark says how much is wrong with it.
export function rowLine(editor, table, row, parts) {
  const button = lineButton(`${table} ${row}`, parts);
  if (editor.selected?.row === row) button.setAttribute("aria-current", "true");
  const faults = editor.troubles(table, row).filter((fault) => !fault.advice);
  if (faults.length) {
    const mark = word("span", "!");
    mark.className = "mark";
    mark.title = faults.map((fault) => fault.message).join("\n");
    mark.setAttribute("aria-hidden", "true");
    button.append(mark, hidden(editor.say("faults", { count: faults.length })));
  }
  button.addEventListener("click", () => editor.select(table, row, { focus: true, from: button }));
  return lineOf(button);
}

// By `key` the arrows of a list and the way back from the card find a button again.
export function lineButton(key, parts) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.go = key;
  button.append(...parts);
  return button;
}

export function lineOf(button) {
  const line = document.createElement("li");
  line.append(button);
  return line;
}

// A colour with its symbol, silent.
export function chip(colour) {
  const chip = document.createElement("span");
  chip.className = `chip c-${colour}`;
  chip.innerHTML = `<svg class="sym" aria-hidden="true"><use href="#s-${colour}"/></svg>`;
  return chip;
}

export function word(tag, text) {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

export function hidden(text) {
  const node = word("span", text);
  node.className = "vh";
  return node;
}
