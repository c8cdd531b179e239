// Towns of the gazetteer, offered while the name of a place is typed.

import { address } from "../core/browser/address.js";

const TOWNS_AFTER = 200; // ms after a letter
const PATIENCE = 2000; // ms
const ALIKE = 3; // names that are said

export function editorTowns(editor) {
  const naming = document.querySelector("[data-add=cities] [name=name]");
  let towns = new Map(); // by what is offered: name, lat, lon
  let asking;

  naming?.addEventListener("input", () => {
    const town = towns.get(naming.value);
    if (town) {
      naming.form.elements.lat.value = town.lat;
      naming.form.elements.lon.value = town.lon;
    }
    clearTimeout(asking);
    if (naming.value.trim().length >= 2 && !town) asking = setTimeout(ask, TOWNS_AFTER);
  });

  function addressOf(name) {
    const near = editor.ground.bounds ? { near: editor.ground.bounds.join(",") } : {};
    return address(`/workshop/towns?${new URLSearchParams({ name, ...near })}`);
  }

  async function ask() {
    const wanted = naming.value.trim();
    try {
      const answer = await fetch(addressOf(wanted));
      if (!answer.ok || naming.value.trim() !== wanted) return;
      const results = await answer.json();
      towns = new Map();
      const offered = results.map((town) => {
        const label = towns.has(town.name) ? `${town.name} (${town.country})` : town.name;
        towns.set(label, located(town.name, town));
        return new Option(`${town.country} · ${town.population.toLocaleString(document.documentElement.lang)}`, label);
      });
      document.getElementById("town-names").replaceChildren(...offered);
    } catch {
      // the server is away: names can be typed all the same
    }
  }

  // The town that has exactly this name in some language; it keeps the name that was typed.
  async function called(name) {
    try {
      const answer = await fetch(`${addressOf(name)}&exact=1`, { signal: AbortSignal.timeout(PATIENCE) });
      const [town] = answer.ok ? await answer.json() : [];
      return town ? located(name, town) : null;
    } catch {
      return null;
    }
  }

  return { offered: (label) => towns.get(label), called, alike: (name) => [...towns.keys()].filter((town) => town !== name).slice(0, ALIKE) };
}

function located(name, { lat, lon }) {
  return { name, lat: lat.toFixed(4), lon: lon.toFixed(4) };
}
