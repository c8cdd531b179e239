// The forms that add a place, a route, a ticket or a tour to their lists.

import { addition, rowsWith, tourCities } from "./draft.js";
import { namesMeant, placeNames, shortestWay } from "./draft_places.js";
import { onSheet } from "./draft_sheet.js";

const ADDERS = { cities: addPlace, routes: addRouteBetween, tickets: addTicket, tours: addTour };
const NAMED = 4; // of the names that were possible

// `addRoute(a, b, cells, selecting)` adds a route; `full(table)` says whether a table is, and tells so.
export function editorAdding(editor, { addRoute, full, towns }) {
  for (const form of document.querySelectorAll("[data-add]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const fields = Object.fromEntries([...new FormData(form)].map(([key, text]) => [key, String(text).trim()]));
      if (await ADDERS[form.dataset.add]({ editor, addRoute, full, towns, fields, inputs: form.elements })) {
        form.reset();
        form.elements[0].focus();
      }
    });
  }
}

async function addPlace({ editor, full, towns, fields: { name, lat, lon } }) {
  const { say } = editor;
  if (full("cities")) return false;
  if (!name) return refuse(editor, "needs_name");
  if (rowsWith(editor.draft, "cities", "name", name).length) return refuse(editor, "taken_name", { name });
  const town = towns.offered(name) ?? (lat && lon ? null : await towns.called(name));
  if (!town && !(lat && lon)) return placeByHand(editor, name, towns.alike(name));
  const kind = document.getElementById("pen-kind").value;
  const cells = { name: town?.name ?? name, kind: kind === "city" ? "" : kind, lat: lat || town?.lat || "", lon: lon || town?.lon || "" };
  if (rowsWith(editor.draft, "cities", "name", cells.name).length) return refuse(editor, "taken_name", { name: cells.name });
  if (!editor.perform(say("add", { name: cells.name }), [addition("cities", cells)])) return false;
  editor.hint(say("added", { name: cells.name }));
  if (isOffMap(editor.ground, cells)) editor.notice(say("off_map", { name: cells.name }));
  return true;
}

// A name that no town has is put down by the next press on the map; towns that begin alike are named.
function placeByHand({ placeNext, say }, name, alike) {
  placeNext(name, alike.length ? say("place_or_town", { name, names: alike.join(", ") }) : say("place_it", { name }));
  return false;
}

function isOffMap(ground, { lat, lon }) {
  const { bounds, width, height } = ground;
  if (!bounds || !lat || !lon) return false;
  const [x, y] = onSheet(ground, Number(lat), Number(lon));
  return x < 0 || y < 0 || x > width || y > height;
}

async function addRouteBetween({ editor, addRoute, fields: { length, colour, kind }, inputs }) {
  const ends = endsMeant(editor, inputs);
  return ends && (await addRoute(...ends, { length, colour, kind }, false)) !== null;
}

function addTicket({ editor, full, fields: { value, deck }, inputs }) {
  const { say } = editor;
  const ends = full("tickets") ? null : endsMeant(editor, inputs);
  if (!ends) return false;
  const [a, b] = ends;
  const cells = { city_a: a, city_b: b, value: value || String(shortestWay(editor.draft, a, b) ?? ""), deck: deck ?? "" };
  const name = `${a}–${b}`;
  if (!editor.perform(say("add", { name: say("ticket", { name }) }), [addition("tickets", cells)])) return false;
  editor.hint(say("added", { name: `${name}, ${say("points_of", { count: cells.value || "?" })}` }));
  return true;
}

function addTour({ editor, full, fields, inputs }) {
  const { say } = editor;
  if (full("tours")) return false;
  const cities = [];
  for (const text of tourCities(fields)) {
    const city = placeMeant(editor, text, inputs.cities);
    if (!city) return false;
    cities.push(city);
  }
  const name = cities.join(" – ");
  if (!editor.perform(say("add", { name: say("tour", { name }) }), [addition("tours", { ...fields, cities: cities.join(">") })])) return false;
  editor.hint(say("added", { name }));
  return true;
}

// The two places of a route or ticket; null, with a reason said, where it is not clear which.
function endsMeant(editor, { city_a, city_b }) {
  const a = placeMeant(editor, city_a.value, city_a);
  const b = a && placeMeant(editor, city_b.value, city_b);
  if (a && a === b) refuse(editor, "two_places", {}, city_b);
  return a && b && a !== b ? [a, b] : null;
}

function placeMeant(editor, typed, input) {
  const names = namesMeant(placeNames(editor.draft), typed);
  if (names.length === 1) return names[0];
  const some = names.slice(0, NAMED).join(", ") + (names.length > NAMED ? ", …" : "");
  refuse(editor, names.length ? "which_place" : "unknown_place", { name: typed.trim(), names: some }, input);
  return null;
}

// With a reason, and back to the field that it is about.
function refuse({ notice, say }, key, fields, input) {
  notice(say(key, fields));
  input?.focus();
  input?.select();
  return false;
}
