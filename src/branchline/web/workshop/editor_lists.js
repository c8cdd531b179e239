// The lists of the panel: places, routes, tickets, and what the check says; with the forms that add rows to them.

import { address } from "../core/browser/address.js";
import { addition, rowsWith, tourCities } from "./draft.js";
import { item, severalDecks } from "./editor_card.js";
import { redrawn } from "./editor_keyboard.js";

const TOWNS_AFTER = 200; // ms after a letter
const NEARLY = 10; // rows: from here on the limit is said
const TABS = { cities: "cities", layout: "cities", names: "cities", passengers: "cities", routes: "routes", exits: "routes", tickets: "tickets", tours: "tickets", settings: "rules" };

export function editorLists(editor, { addRoute, full, shortestWay, onSheet }) {
  const { start, say } = editor;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const searched = { cities: "", routes: "", tickets: "" };
  let towns = new Map();
  let drawn = {};

  // ---------------------------------------------------------------- tabs

  for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const now = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(tabs.at(to % tabs.length)).focus();
  });

  function choose(tab) {
    for (const button of tabs) {
      const chosen = button === tab;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      document.getElementById(button.getAttribute("aria-controls")).hidden = !chosen;
    }
    return tab;
  }

  // To the first thing that is typed or pressed in a list.
  function enter(n) {
    choose(tabs[n]);
    const panel = document.getElementById(tabs[n].getAttribute("aria-controls"));
    const first = panel.querySelector('input:not([disabled]), .rows button[tabindex="0"]');
    (first ?? tabs[n]).focus();
  }

  function search() {
    const field = document.querySelector("[role=tabpanel]:not([hidden]) [data-search]");
    field?.focus();
    return Boolean(field);
  }

  // ---------------------------------------------------------------- drawing

  function draw() {
    const { draft } = editor;
    const names = [...draft.tables.cities.values()].map((cells) => cells.name ?? "").filter(Boolean);
    options("place-names", names);
    const decks = Array.isArray(draft.settings.tickets?.decks) ? draft.settings.tickets.decks : [];
    options("deck-names", decks);
    for (const part of document.querySelectorAll(".add [data-when=decks]")) part.hidden = !severalDecks(draft);
    rows("cities", [["cities", draft.tables.cities]], say("empty_places"), placeLine);
    rows("routes", [["routes", draft.tables.routes]], say("empty_routes"), routeLine);
    rows("tickets", [["tickets", draft.tables.tickets], ["tours", draft.tables.tours]], say("empty_tickets"), ticketLine);
    for (const [list, count] of [["cities", draft.tables.cities.size], ["routes", draft.tables.routes.size], ["tickets", draft.tables.tickets.size + draft.tables.tours.size]]) limits(list, count);
    balance(draft);
    dealDecks(draft);
    findings();
  }

  function options(id, names) {
    const key = names.join("\n");
    if (drawn[id] === key) return;
    drawn[id] = key;
    document.getElementById(id).replaceChildren(...names.map((name) => new Option(name, name)));
  }

  function rows(list, tables, empty, line) {
    const box = document.getElementById(`rows-${list}`);
    const wanted = plain(searched[list]);
    const lines = [];
    for (const [table, rows] of tables) {
      for (const [row, cells] of rows) {
        const text = line(table, cells);
        if (wanted && !plain(text.map((part) => part.said ?? part).join(" ")).includes(wanted)) continue;
        lines.push(button(table, row, text));
      }
    }
    const none = tables.every(([, rows]) => !rows.size) ? empty : say("none_found");
    redrawn(box, lines.length ? lines : [item(none, "soft")]);
  }

  function button(table, row, parts) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.go = `${table} ${row}`;
    const { selected } = editor;
    if (selected?.row === row) button.setAttribute("aria-current", "true");
    for (const part of parts) button.append(part);
    const faults = editor.troubles(table, row).filter((fault) => !fault.advice);
    if (faults.length) {
      const mark = document.createElement("span");
      mark.className = "mark";
      mark.textContent = "!";
      mark.title = faults.map((fault) => fault.message).join("\n");
      mark.setAttribute("aria-hidden", "true");
      button.append(mark, hidden(say("faults", { count: faults.length })));
    }
    button.addEventListener("click", () => editor.select(table, row, { focus: true, from: button }));
    const line = document.createElement("li");
    line.append(button);
    return line;
  }

  function placeLine(_table, cells) {
    const parts = [word("b", cells.name || say("unnamed"))];
    if (cells.kind && cells.kind !== "city") parts.push(word("em", start.kinds[cells.kind] ?? cells.kind));
    if (cells.port === "yes") parts.push(word("em", "⚓"));
    return parts.map(readable);
  }

  function routeLine(_table, cells) {
    const length = word("span", cells.length ?? "?");
    length.className = "number";
    const parts = [chip(cells.colour in start.colours ? cells.colour : "gray"), length, word("b", `${cells.city_a ?? "?"}–${cells.city_b ?? "?"}`)];
    const kind = cells.kind && cells.kind !== "rail" ? `${start.kinds[cells.kind] ?? cells.kind}, ` : "";
    parts.push(word("em", kind + (start.colours[cells.colour] ?? cells.colour ?? "")));
    return parts.map(readable);
  }

  function ticketLine(table, cells) {
    const name = table === "tours" ? tourCities(cells).join(" – ") : `${cells.city_a ?? "?"}–${cells.city_b ?? "?"}`;
    const value = table === "tours" ? `${cells.value_in_order ?? "?"}/${cells.value_any_order ?? "?"}/−${cells.penalty ?? "?"}` : (cells.value ?? "?");
    return [word("b", name), word("em", `${cells.deck ? `${cells.deck}, ` : ""}${say("points_of", { count: value })}`)].map(readable);
  }

  function limits(list, count) {
    const most = start.most[list];
    document.getElementById(`count-${list}`).textContent = count ? String(count) : "";
    const box = document.getElementById(`limit-${list}`);
    const left = most - count;
    box.textContent = say("count", { count, most }) + (left > 0 && left <= NEARLY ? ` · ${say("near_full", { count: left })}` : left <= 0 ? ` · ${say("full", { most })}` : "");
    box.classList.toggle("bad", left <= 0);
  }

  // Spaces of each colour, so that none is forgotten.
  function balance(draft) {
    const box = document.getElementById("colour-balance");
    const sums = new Map();
    for (const cells of draft.tables.routes.values()) sums.set(cells.colour, (sums.get(cells.colour) ?? 0) + (Number(cells.length) || 0));
    const chips = Object.keys(start.colours).filter((name) => sums.get(name)).map((name) => {
      const sum = document.createElement("span");
      sum.className = "sum";
      sum.title = `${start.colours[name]}: ${say("spaces", { count: sums.get(name) })}`;
      sum.append(chip(name), hidden(`${start.colours[name]}: `), String(sums.get(name)));
      return sum;
    });
    box.replaceChildren(...chips);
  }

  function findings() {
    const faults = editor.findings.filter((finding) => !finding.advice);
    document.getElementById("count-check").textContent = faults.length ? String(faults.length) : "";
    document.getElementById("tab-check").classList.toggle("bad", faults.length > 0);
    const box = document.getElementById("rows-check");
    redrawn(
      box,
      editor.findings.map((finding, n) => {
        const line = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.className = finding.advice ? "advice" : "fault";
        button.dataset.go = `finding ${n}`;
        const about = finding.row && editor.draft.tables[finding.table]?.has(finding.row) ? editor.nameOf(finding.table, finding.row) : finding.path.join(".");
        const where = about || tabOf(finding.table)?.firstChild.textContent.trim() || finding.file;
        button.append(word("em", where), word("span", finding.message));
        button.addEventListener("click", () => go(editor.findings[n], button)); // the line may be older than the finding
        line.append(button);
        return line;
      }),
    );
  }

  // The tab under which a table or the rules stand; null for other files.
  function tabOf(table) {
    return document.getElementById(`tab-${TABS[table]}`);
  }

  function go(finding, from) {
    const { table, row, path } = finding;
    if (table === "settings") {
      choose(document.getElementById("tab-rules"));
      const dotted = path.join(".");
      const key = document.querySelector(`#rules [data-path="${CSS.escape(dotted)}"]`);
      const section = document.querySelector(`#rules [data-section="${CSS.escape(path.slice(0, -1).join(".") || dotted)}"]`) ?? document.querySelector("#rules fieldset");
      const target = key ?? section.querySelector("input, select, textarea");
      target.scrollIntoView({ block: "center" });
      return target.focus();
    }
    if (row && editor.draft.tables[table]?.has(row)) {
      if (["cities", "routes", "tickets", "tours"].includes(table)) return editor.select(table, row, { focus: true, from });
      const cells = editor.draft.tables[table].get(row);
      const place = rowsWith(editor.draft, "cities", "name", cells.name ?? cells.city ?? "")[0];
      if (place) return editor.select("cities", place[0], { focus: true, from });
    }
    if (tabOf(table)) choose(tabOf(table)).focus();
  }

  // ---------------------------------------------------------------- searching and adding

  for (const input of document.querySelectorAll("[data-search]")) {
    input.addEventListener("input", () => {
      searched[input.dataset.search] = input.value;
      draw();
    });
  }

  for (const form of document.querySelectorAll("[data-add]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const fields = Object.fromEntries([...new FormData(form)].map(([key, text]) => [key, String(text).trim()]));
      if (await adders[form.dataset.add](fields, form.elements)) {
        form.reset();
        form.elements[0].focus();
      }
    });
  }

  const adders = {
    async cities({ name, lat, lon }) {
      if (full("cities")) return false;
      if (!name) return refuse("needs_name");
      if (rowsWith(editor.draft, "cities", "name", name).length) return refuse("taken_name", { name });
      const town = towns.get(name) ?? (lat && lon ? null : await townCalled(name));
      if (!town && !(lat && lon)) return placeByHand(name);
      const kind = document.getElementById("pen-kind").value;
      const cells = { name: town?.name ?? name, kind: kind === "city" ? "" : kind, lat: lat || town?.lat || "", lon: lon || town?.lon || "" };
      if (rowsWith(editor.draft, "cities", "name", cells.name).length) return refuse("taken_name", { name: cells.name });
      if (!editor.perform(say("add", { name: cells.name }), [addition("cities", cells)])) return false;
      editor.hint(say("added", { name: cells.name }));
      if (isOffMap(cells)) editor.notice(say("off_map", { name: cells.name }));
      return true;
    },
    async routes({ length, colour, kind }, inputs) {
      const ends = endsMeant(inputs);
      return ends && (await addRoute(...ends, { length, colour, kind }, false)) !== null;
    },
    tickets({ value, deck }, inputs) {
      const ends = full("tickets") ? null : endsMeant(inputs);
      if (!ends) return false;
      const [a, b] = ends;
      const cells = { city_a: a, city_b: b, value: value || String(shortestWay(a, b) ?? ""), deck: deck ?? "" };
      const name = `${a}–${b}`;
      if (!editor.perform(say("add", { name: say("ticket", { name }) }), [addition("tickets", cells)])) return false;
      editor.hint(say("added", { name: `${name}, ${say("points_of", { count: cells.value || "?" })}` }));
      return true;
    },
    tours(fields, inputs) {
      if (full("tours")) return false;
      const cities = [];
      for (const text of tourCities(fields)) {
        const city = placeMeant(text, inputs.cities);
        if (!city) return false;
        cities.push(city);
      }
      const name = cities.join(" – ");
      if (!editor.perform(say("add", { name: say("tour", { name }) }), [addition("tours", { ...fields, cities: cities.join(">") })])) return false;
      editor.hint(say("added", { name }));
      return true;
    },
  };

  // The two places of a route or ticket; null, with a reason said, where it is not clear which.
  function endsMeant({ city_a, city_b }) {
    const a = placeMeant(city_a.value, city_a);
    const b = a && placeMeant(city_b.value, city_b);
    if (a && a === b) refuse("two_places", {}, city_b);
    return a && b && a !== b ? [a, b] : null;
  }

  // Capitals and accents may be left out, and all that no other place begins with.
  function placeMeant(typed, input) {
    const text = typed.trim();
    const names = [...editor.draft.tables.cities.values()].map((cells) => cells.name ?? "").filter(Boolean);
    if (names.includes(text)) return text;
    const wanted = plain(text);
    const alike = names.filter((name) => plain(name) === wanted);
    const matching = alike.length ? alike : names.filter((name) => wanted && plain(name).startsWith(wanted));
    if (matching.length === 1) return matching[0];
    refuse(matching.length ? "which_place" : "unknown_place", { name: text, names: matching.slice(0, 4).join(", ") + (matching.length > 4 ? ", …" : "") }, input);
    return null;
  }

  // With a reason, and back to the field that it is about.
  function refuse(key, fields, input) {
    editor.notice(say(key, fields));
    input?.focus();
    input?.select();
    return false;
  }

  // ---------------------------------------------------------------- suggestions

  const deal = document.getElementById("deal");
  deal?.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(deal));
    const count = Object.entries(fields).reduce((sum, [name, text]) => (name.startsWith("deck ") ? sum + (Number(text) || 0) : sum), 0);
    suggest({ what: "deal", ...fields }, say("dealt", { count }));
  });
  document.addEventListener("click", ({ target }) => {
    const suggestion = target.closest?.("[data-suggest]")?.dataset.suggest;
    if (suggestion) suggest({ what: suggestion }, say(suggestion));
  });

  async function suggest(fields, name) {
    const body = new FormData();
    body.set("csrf", start.csrf);
    for (const [key, value] of Object.entries(fields)) body.set(key, value);
    try {
      await editor.settled();
      const answer = await fetch(`${start.path}/suggest`, { method: "POST", body });
      const suggested = await answer.json();
      if (!answer.ok) editor.notice(suggested.why ?? say("failed"), true);
      else if (editor.perform(name, suggested.step.edits)) editor.hint(say("done", { name }));
      else editor.notice(say("nothing"));
    } catch {
      editor.notice(say("failed"));
    }
  }

  function dealDecks(draft) {
    const box = document.getElementById("deal-decks");
    const decks = Array.isArray(draft.settings.tickets?.decks) ? draft.settings.tickets.decks.filter((deck) => typeof deck === "string") : [];
    const names = decks.length ? decks : ["tickets"];
    if (!box || drawn.deal === names.join()) return;
    drawn.deal = names.join();
    box.replaceChildren(
      ...names.map((deck) => {
        const label = document.createElement("label");
        const input = document.createElement("input");
        Object.assign(input, { name: `deck ${deck}`, inputMode: "numeric", maxLength: 3, required: true, value: names.length > 1 && deck === "long" ? "6" : "30" });
        label.append(names.length > 1 ? `${box.dataset.label} (${deck})` : box.dataset.label, " ", input);
        return label;
      }),
    );
  }

  // Towns of the gazetteer, offered while a name is typed.
  const naming = document.querySelector("[data-add=cities] [name=name]");
  let asking;
  naming?.addEventListener("input", () => {
    const town = towns.get(naming.value);
    if (town) {
      naming.form.elements.lat.value = town.lat;
      naming.form.elements.lon.value = town.lon;
    }
    clearTimeout(asking);
    if (naming.value.trim().length >= 2 && !town) asking = setTimeout(askTowns, TOWNS_AFTER);
  });

  function townsAddress(name) {
    const near = editor.ground.bounds ? { near: editor.ground.bounds.join(",") } : {};
    return address(`/workshop/towns?${new URLSearchParams({ name, ...near })}`);
  }

  // The town that has exactly this name in some language; it keeps the name that was typed.
  async function townCalled(name) {
    try {
      const answer = await fetch(`${townsAddress(name)}&exact=1`, { signal: AbortSignal.timeout(2000) });
      const [town] = answer.ok ? await answer.json() : [];
      return town ? { name, lat: town.lat.toFixed(4), lon: town.lon.toFixed(4) } : null;
    } catch {
      return null;
    }
  }

  // A name that no town has is put down by the next press on the map; towns that begin alike are named.
  function placeByHand(name) {
    const alike = [...towns.keys()].filter((town) => town !== name).slice(0, 3);
    editor.placeNext(name, alike.length ? say("place_or_town", { name, names: alike.join(", ") }) : say("place_it", { name }));
    return false;
  }

  function isOffMap({ lat, lon }) {
    const { bounds, width, height } = editor.ground;
    if (!bounds || !lat || !lon) return false;
    const [x, y] = onSheet(editor.ground, Number(lat), Number(lon));
    return x < 0 || y < 0 || x > width || y > height;
  }

  async function askTowns() {
    const wanted = naming.value.trim();
    try {
      const answer = await fetch(townsAddress(wanted));
      if (!answer.ok || naming.value.trim() !== wanted) return;
      const results = await answer.json();
      towns = new Map();
      const offered = results.map((town) => {
        const label = towns.has(town.name) ? `${town.name} (${town.country})` : town.name;
        towns.set(label, { name: town.name, lat: town.lat.toFixed(4), lon: town.lon.toFixed(4) });
        return new Option(`${town.country} · ${town.population.toLocaleString(document.documentElement.lang)}`, label);
      });
      document.getElementById("town-names").replaceChildren(...offered);
    } catch {
      // the server is away: names can be typed all the same
    }
  }

  return { draw, enter, search };
}

// A colour with its symbol, silent.
function chip(colour) {
  const chip = document.createElement("span");
  chip.className = `chip c-${colour}`;
  chip.innerHTML = `<svg class="sym" aria-hidden="true"><use href="#s-${colour}"/></svg>`;
  return chip;
}

function word(tag, text) {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

// An element that is searched by what it says.
function readable(element) {
  element.said = element.textContent;
  return element;
}

function hidden(text) {
  const node = word("span", text);
  node.className = "vh";
  return node;
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/ł/g, "l").replace(/ø/g, "o").replace(/ß/g, "ss");
}
