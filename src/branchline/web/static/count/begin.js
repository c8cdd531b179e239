// Where a count begins: an edition, who played; counts that this browser keeps; a file.

import { notice } from "../notice.js";
import { byId, element } from "./elements.js";
import { forgetCount, keptCounts } from "./kept.js";
import { say, start } from "./words.js";

const LARGEST = 200_000; // bytes of a file
const NAMES = "branchline count-names"; // those that were typed last

export function beginPage({ begun, opened }) {
  const edition = byId("edition");
  const seats = byId("seats");
  edition.addEventListener("change", () => fillSeats(Number(seats.value)));
  seats.addEventListener("change", fillNames);
  byId("new-count").addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = [...byId("new-names").querySelectorAll("input")];
    const names = [];
    fields.forEach((field, n) => {
      let name = field.value.replace(/\s+/g, " ").trim().slice(0, 40) || say("player", { number: n + 1 });
      while (names.includes(name)) name = `${name.slice(0, 36)} ${n + 1}`;
      names.push(name);
    });
    remember(fields.map((field) => field.value.trim()));
    begun(edition.value, names);
  });
  byId("count-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new RangeError("too large");
      await opened(JSON.parse(await file.text()));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
      notice(say("unreadable"), true);
    }
  });
  fillSeats(3);

  function fillSeats(wanted) {
    const [fewest, most] = start.boards.find((one) => one.edition === edition.value).seats;
    const chosen = Math.min(most, Math.max(fewest, wanted));
    seats.replaceChildren(...Array.from({ length: most - fewest + 1 }, (_, n) => element("option", { selected: n + fewest === chosen }, String(n + fewest))));
    fillNames();
  }

  function fillNames() {
    const typed = [...byId("new-names").querySelectorAll("input")].map((field) => field.value);
    const known = remembered();
    byId("new-names").replaceChildren(
      ...Array.from({ length: Number(seats.value) }, (_, n) =>
        element("label", { class: `p-${n}` }, element("span", {}, say("player", { number: n + 1 })), element("input", { value: typed[n] ?? known[n] ?? "", maxlength: 40, autocomplete: "off", placeholder: say("player", { number: n + 1 }) })),
      ),
    );
  }

  // The counts of this browser, the latest first.
  function refresh() {
    const found = keptCounts().filter((one) => start.boards.some((board) => board.edition === one.record.edition));
    byId("kept").hidden = !found.length;
    byId("kept-list").replaceChildren(...found.map(line));
  }

  function line({ id, changed, record }) {
    const board = start.boards.find((one) => one.edition === record.edition);
    const names = (Array.isArray(record.seats) ? record.seats : []).map((seat) => String(seat?.name ?? "").slice(0, 40)).join(", ");
    const date = new Intl.DateTimeFormat(start.language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(changed));
    const gone = () => {
      if (!confirm(say("really_delete"))) return;
      forgetCount(id);
      refresh();
    };
    return element("li", {}, element("a", { href: `#c=${id}` }, element("b", {}, board.title), element("span", {}, names), element("em", {}, date)), element("button", { type: "button", "aria-label": say("delete_count", { title: board.title, date }), click: gone }, "✕"));
  }

  return { refresh };
}

function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(NAMES));
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}

function remember(names) {
  try {
    localStorage.setItem(NAMES, JSON.stringify(names));
  } catch {
    // then they are typed again
  }
}
