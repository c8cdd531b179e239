// Where a count begins: an edition, who played; counts that this browser keeps; a file.

import { rememberedNames, rememberNames } from "../core/browser/names.js";
import { notice } from "../core/browser/notice.js";
import { byId, element } from "../core/browser/desk/elements.js";
import { forgetCount, keptCounts } from "../core/browser/desk/kept.js";
import { playersForm } from "../core/browser/desk/players_form.js";
import { say, start } from "../core/browser/desk/words.js";

const LARGEST = 200_000; // bytes of a file

// The text of a file: UTF-8, or UTF-16 as Windows saves it, which begins with a byte order mark.
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = bytes[0] * 256 + bytes[1];
  return new TextDecoder(mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8").decode(bytes);
}

export function beginPage({ begun, opened }) {
  const form = playersForm({ known: rememberedNames });
  byId("new-count").addEventListener("submit", (event) => {
    event.preventDefault();
    rememberNames(form.typed());
    begun(form.edition.value, form.names());
  });
  byId("count-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new RangeError("too large");
      await opened(JSON.parse(await textOf(file)));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
      notice(say("unreadable"), true);
    }
  });

  // The counts of this browser, the latest first.
  function refresh() {
    const counts = keptCounts().filter((count) => start.boards.some((board) => board.edition === count.record.edition));
    byId("kept").hidden = !counts.length;
    byId("kept-list").replaceChildren(...counts.map(line));
  }

  function line({ id, changed, record }) {
    const board = start.boards.find((candidate) => candidate.edition === record.edition);
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
