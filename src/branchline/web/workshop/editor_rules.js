// The form of board.toml: fields into settings, settings into fields.

import { isSection, setting, settingEdit, settingWithin } from "./draft.js";
import { item } from "./editor_card.js";
import { valueTyped, written } from "./setting_text.js";

export function editorRules(editor) {
  const form = document.getElementById("rules");
  const { say } = editor;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (target.matches("[data-has]")) has(target);
    else if (target.dataset.path) changed(target);
  });
  document.getElementById("new-backdrop")?.addEventListener("click", () => drawBackdrop(editor));

  function has(box) {
    const section = box.closest("[data-section]");
    const path = section.dataset.section.split(".");
    const value = box.checked ? JSON.parse(section.dataset.usual) : null;
    editor.perform(say("rules", { name: path.join(".") }), [settingEdit(editor.draft, path, value)]);
  }

  function changed(input) {
    const path = input.dataset.path.split(".");
    const edit = settingWithin(editor.draft, path, entered(input));
    if (edit) editor.perform(say("rules", { name: path.join(".") }), [edit]);
    else draw();
  }

  function entered(input) {
    if (input.dataset.kind === "words") return chosen(input);
    if (input.dataset.kind === "flag") return input.checked ? true : null;
    return valueTyped(input.dataset.kind, input.value);
  }

  // Words in the order in which they are listed; those chosen last come last where the order counts.
  function chosen(input) {
    const boxes = [...form.querySelectorAll(`[data-path="${CSS.escape(input.dataset.path)}"]`)];
    const before = setting(editor.draft, input.dataset.path.split("."));
    const was = Array.isArray(before) ? before : [];
    const now = boxes.filter((box) => box.checked).map((box) => box.value);
    if (input.dataset.path.endsWith("colours")) return now;
    return [...was.filter((key) => now.includes(key)), ...now.filter((key) => !was.includes(key))];
  }

  function draw() {
    for (const section of form.querySelectorAll("[data-section]")) drawSection(editor, form, section);
    for (const input of form.querySelectorAll("[data-path]")) drawField(editor, input);
  }

  return { draw };
}

function drawSection({ draft, findings }, form, section) {
  const path = section.dataset.section ? section.dataset.section.split(".") : [];
  const content = path.length ? setting(draft, path) : draft.settings;
  const box = section.querySelector(":scope > legend [data-has]");
  if (box) {
    box.checked = content !== undefined;
    section.querySelector(".keys").hidden = content === undefined;
  }
  const faults = findings.filter((finding) => finding.table === "settings" && isAbout(form, finding.path, path));
  section.querySelector(".said").replaceChildren(...faults.map((fault) => item(fault.message, fault.advice ? "advice" : "")));
}

function drawField({ draft, findings }, input) {
  const value = setting(draft, input.dataset.path.split("."));
  const wrong = findings.some((finding) => finding.table === "settings" && !finding.advice && finding.path.join(".") === input.dataset.path);
  if (wrong) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
  if (input.dataset.kind === "words") input.checked = Array.isArray(value) && value.includes(input.value);
  else if (input.dataset.kind === "flag") input.checked = value === true;
  else show(input, written(value));
}

// A fault belongs to the innermost section that is in the form.
function isAbout(form, path, section) {
  const sections = [...form.querySelectorAll("[data-section]")].map((part) => part.dataset.section);
  for (let n = path.length; n >= 0; n--) {
    const dotted = path.slice(0, n).join(".");
    if (sections.includes(dotted)) return dotted === section.join(".");
  }
  return false;
}

async function drawBackdrop(editor) {
  const { draft, ground, say } = editor;
  const bounds = ground.bounds;
  if (!bounds) return editor.notice(say("failed"));
  try {
    const answer = await fetch(`${editor.start.path}/region?bounds=${bounds.join(",")}`);
    const backdrop = await answer.json();
    if (!answer.ok) return editor.notice(backdrop.why ?? say("failed"), true);
    const edits = [{ table: "backdrop", row: "", before: draft.backdrop, after: backdrop }];
    const rounded = bounds.map((bound) => Math.round(bound * 10000) / 10000);
    const section = isSection(draft.settings.map) ? draft.settings.map : {};
    const file = typeof section.backdrop === "string" ? section.backdrop : "map.geojson";
    edits.push(settingEdit(draft, ["map"], { ...section, backdrop: file, bounds: rounded }));
    editor.perform(say("backdrop"), edits);
  } catch {
    editor.notice(say("failed"));
  }
}

function show(input, text) {
  if (input === document.activeElement && input.dataset.shown === text) return;
  if (input.tagName === "SELECT") {
    for (const odd of input.querySelectorAll("[data-odd]")) odd.remove();
    if (![...input.options].some((option) => option.value === text)) {
      const odd = new Option(text, text);
      odd.dataset.odd = "";
      input.append(odd);
    }
  }
  if (input.value !== text) input.value = text;
  input.dataset.shown = text;
}
