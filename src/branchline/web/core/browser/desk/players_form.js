// An edition, how many play, and their names: where a count or a noted game begins.

import { byId, element } from "./elements.js";
import { say, start } from "./words.js";

const LONGEST = 40; // letters of a name

const plain = (name) => name.replace(/\s+/g, " ").trim();

// `known`: names to begin with. `clean`: what of a name can be used. `folded`: what two names may not have in common.
export function playersForm({ known = () => [], clean = plain, folded = (name) => name } = {}) {
  const edition = byId("edition");
  const seats = byId("seats");
  edition.addEventListener("change", () => fillSeats(Number(seats.value)));
  seats.addEventListener("change", fillNames);
  fillSeats(3);

  function fillSeats(wanted) {
    const [fewest, most] = start.boards.find((board) => board.edition === edition.value).seats;
    const chosen = Math.min(most, Math.max(fewest, wanted));
    seats.replaceChildren(...Array.from({ length: most - fewest + 1 }, (_, n) => element("option", { selected: n + fewest === chosen }, String(n + fewest))));
    fillNames();
  }

  function fillNames() {
    const before = typed();
    const first = known();
    byId("new-names").replaceChildren(
      ...Array.from({ length: Number(seats.value) }, (_, n) =>
        element("label", { class: `p-${n}` }, element("span", {}, say("player", { number: n + 1 })), element("input", { value: before[n] ?? first[n] ?? "", maxlength: LONGEST, autocomplete: "off", placeholder: say("player", { number: n + 1 }) })),
      ),
    );
  }

  function typed() {
    return [...byId("new-names").querySelectorAll("input")].map((field) => field.value);
  }

  // One name for each seat, each of them once.
  function names() {
    const names = [];
    typed().forEach((text, n) => {
      let name = clean(text).slice(0, LONGEST) || say("player", { number: n + 1 });
      while (names.some((taken) => folded(taken) === folded(name))) name = `${name.slice(0, LONGEST - 4)} ${n + 1}`;
      names.push(name);
    });
    return names;
  }

  return { edition, typed, names };
}
