// In and out: the files of a board, one by one, and files that are read into it.

import { storedAs } from "../core/browser/address.js";
import { item } from "./editor_card.js";
import { post, settled } from "./editor_requests.js";
import { readFiles } from "./workshop_files.js";

export function editorFiles(editor) {
  document.getElementById("import-files")?.addEventListener("change", async ({ target }) => {
    const box = document.getElementById("import-said");
    box.replaceChildren();
    if (!target.files.length || !(await settled(editor, box))) return;
    try {
      await readInto(editor, box, target.files);
    } catch {
      box.textContent = editor.say("failed");
    } finally {
      target.value = "";
    }
  });
  tellOpened(editor);
}

export async function listFiles(editor) {
  const { start, say } = editor;
  const box = document.getElementById("exports");
  const fixed = [...box.querySelectorAll("[data-fixed]")];
  if (!(await settled(editor, document.getElementById("import-said") ?? box))) return;
  try {
    const names = await (await fetch(`${start.path}/files`)).json();
    box.replaceChildren(...fixed, ...names.map((name) => fileLine(name, `${start.path}/files/${encodeURIComponent(name)}`)));
  } catch {
    box.replaceChildren(item(say("failed")));
  }
}

function fileLine(name, href) {
  const link = Object.assign(document.createElement("a"), { href, download: name, textContent: name });
  const line = document.createElement("li");
  line.append(link);
  return line;
}

async function readInto(editor, box, files) {
  const { say } = editor;
  const answer = await post(editor, "read", await readFiles(files));
  if (answer.status === 413) return void (box.textContent = say("too_large"));
  const suggested = await answer.json();
  if (!answer.ok) return void (box.textContent = suggested.why ?? say("failed"));
  const names = [...files].map((file) => file.name).join(", ");
  editor.perform(say("replace", { name: names }), suggested.step.edits);
  showReasons(editor, box, suggested.reasons);
}

// What could not be read of the files that this board began with.
function tellOpened(editor) {
  const kept = storedAs(`branchline opened ${editor.start.id}`);
  const left = sessionStorage.getItem(kept);
  if (!left) return;
  sessionStorage.removeItem(kept);
  const reasons = JSON.parse(left);
  const box = document.getElementById("import-said");
  if (!reasons.length || !box) return;
  document.getElementById("inout").showModal();
  showReasons(editor, box, reasons);
  listFiles(editor);
}

function showReasons({ say }, box, reasons) {
  const list = document.createElement("ul");
  list.lang = "en";
  list.append(...reasons.map((reason) => item(reason)));
  const head = document.createElement("p");
  head.textContent = say(reasons.length ? "opened" : "all_kept");
  box.replaceChildren(head, list);
}
