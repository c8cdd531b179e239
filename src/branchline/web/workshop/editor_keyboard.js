// The editor without a mouse: keys for what the page offers, and lists in which the arrows go from row to row.

const STEP = 8; // px of the sheet that an arrow moves a place
const PAGE = 10; // rows
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TYPED = "input:not([type=radio]):not([type=checkbox]), textarea, select";

export function editorKeyboard({ editor, undo, redo, chooseTool, tabs, moveBy }) {
  const { mayEdit } = editor.start;

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.(TYPED);
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !event.altKey && mayEdit && (key === "z" || key === "y")) {
      if (typing?.matches("input, textarea") && typing.value !== (typing.dataset.shown ?? "")) return; // of the field itself
      event.preventDefault();
      return key === "y" || event.shiftKey ? redo() : undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (typing) return key === "escape" && leave(typing, event);
    if (pressed(key)) event.preventDefault();
  });

  function pressed(key) {
    if (/^[1-5]$/.test(key)) return tabs.enter(Number(key) - 1), true;
    if (key === "/") return tabs.search();
    if (key === "?") return document.querySelector("[data-open=keys]").click(), true;
    if (key === "escape") return editor.select(null, null), true;
    if (!mayEdit) return false;
    if (key === "v") return chooseTool("select"), true;
    if (key === "p") return chooseTool("place"), true;
    if (key === "r") return chooseTool("route"), true;
    if (key === "delete" && editor.selected) return editor.deleteSelected(), true;
    return false;
  }

  listKeys(editor, moveBy);
}

// Out of a field of a list to its tab, where keys are keys again. Escape empties a search first.
function leave(field, event) {
  const panel = field.closest("[role=tabpanel]");
  if (!panel || (field.type === "search" && field.value)) return;
  event.preventDefault();
  document.getElementById(panel.getAttribute("aria-labelledby")).focus();
}

function listKeys(editor, moveBy) {
  const { mayEdit } = editor.start;

  for (const list of document.querySelectorAll(".rows")) {
    list.addEventListener("keydown", (event) => {
      const button = event.target.closest("button");
      if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
      if (onRow(list, button, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  function onRow(list, button, { key, shiftKey }) {
    const [table, row] = button.dataset.go.split(" ");
    if (mayEdit && key === "Delete" && editor.draft.tables[table]) {
      editor.select(table, row);
      editor.deleteSelected();
      return true;
    }
    if (shiftKey) return mayEdit && table === "cities" && ARROWS[key] ? moveBy(row, ARROWS[key].map((way) => way * STEP)) : false;
    const all = [...list.querySelectorAll("button")];
    const now = all.indexOf(button);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + PAGE, PageUp: now - PAGE, Home: 0, End: all.length - 1 }[key];
    if (to === undefined) return false;
    reach(list, all[Math.min(Math.max(to, 0), all.length - 1)]).focus();
    return true;
  }
}

// Of a list one row is reached with Tab; from there the arrows go on.
export function reach(list, row) {
  for (const button of list.querySelectorAll("button")) button.tabIndex = button === row ? 0 : -1;
  return row;
}

const shown = new WeakMap(); // by line of a list: what stands there

// A list is drawn anew: focus stays on its row, or where that has gone, on the one that took its place.
// Lines that stay the same are left alone: whoever is pressing a button of one would miss it.
export function redrawn(list, lines) {
  const buttons = () => [...list.querySelectorAll("button")];
  const focused = list.contains(document.activeElement);
  const before = buttons();
  const at = before.findIndex((button) => button.tabIndex === 0);
  const key = before[at]?.dataset.go;
  for (const [n, line] of lines.entries()) {
    const old = list.children[n];
    const text = line.outerHTML;
    if (old && shown.get(old) === text) continue;
    shown.set(line, text);
    if (old) old.replaceWith(line);
    else list.append(line);
  }
  while (list.children.length > lines.length) list.lastElementChild.remove();
  const now = buttons();
  const target = now.find((button) => button.dataset.go === key) ?? now[Math.min(Math.max(at, 0), now.length - 1)];
  reach(list, target);
  if (focused) (target ?? document.querySelector("[role=tab][aria-selected=true]")).focus();
}
