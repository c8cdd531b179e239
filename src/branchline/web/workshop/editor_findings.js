// The list of what the check says, and the way from a finding to what it is about.

import { rowsWith } from "./draft.js";
import { redrawn } from "./editor_keyboard.js";
import { lineButton, lineOf, word } from "./editor_lines.js";
import { tabOf } from "./editor_tabs.js";

const CHOSEN = ["cities", "routes", "tickets", "tours"]; // tables whose rows have a card

export function editorFindings(editor, tabs) {
  function draw() {
    const faults = editor.findings.filter((finding) => !finding.advice);
    document.getElementById("count-check").textContent = faults.length ? String(faults.length) : "";
    document.getElementById("tab-check").classList.toggle("bad", faults.length > 0);
    redrawn(document.getElementById("rows-check"), editor.findings.map(line));
  }

  function line(finding, n) {
    const button = lineButton(`finding ${n}`, [word("em", subject(finding)), word("span", finding.message)]);
    button.className = finding.advice ? "advice" : "fault";
    button.addEventListener("click", () => go(editor.findings[n], button)); // the line may be older than the finding
    return lineOf(button);
  }

  function subject({ table, row, path, file }) {
    const about = row && editor.draft.tables[table]?.has(row) ? editor.nameOf(table, row) : path.join(".");
    return about || tabOf(table)?.firstChild.textContent.trim() || file;
  }

  function go({ table, row, path }, from) {
    if (table === "settings") {
      tabs.choose(tabOf(table));
      return toKey(path);
    }
    const cells = row && editor.draft.tables[table]?.get(row);
    if (cells) {
      if (CHOSEN.includes(table)) return editor.select(table, row, { focus: true, from });
      const place = rowsWith(editor.draft, "cities", "name", cells.name ?? cells.city ?? "")[0];
      if (place) return editor.select("cities", place[0], { focus: true, from });
    }
    if (tabOf(table)) tabs.choose(tabOf(table)).focus();
  }

  return { draw };
}

// To a key of the rules, or to its section if the form does not have it.
function toKey(path) {
  const dotted = path.join(".");
  const key = document.querySelector(`#rules [data-path="${CSS.escape(dotted)}"]`);
  const section = document.querySelector(`#rules [data-section="${CSS.escape(path.slice(0, -1).join(".") || dotted)}"]`) ?? document.querySelector("#rules fieldset");
  const target = key ?? section.querySelector("input, select, textarea");
  target.scrollIntoView({ block: "center" });
  target.focus();
}
