// The form of board.toml: fields into settings, settings into fields.

import { isSection, setting, settingEdit } from "./draft.js";
import { item } from "./editor_card.js";

export function editorRules(editor) {
  const form = document.getElementById("rules");
  const { say } = editor;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (target.matches("[data-has]")) has(target);
    else if (target.dataset.path) changed(target);
  });
  document.getElementById("new-backdrop")?.addEventListener("click", drawBackdrop);

  function has(box) {
    const section = box.closest("[data-section]");
    const path = section.dataset.section.split(".");
    const value = box.checked ? JSON.parse(section.dataset.usual) : null;
    editor.perform(say("rules", { name: path.join(".") }), [settingEdit(editor.draft, path, value)]);
  }

  function changed(input) {
    const path = input.dataset.path.split(".");
    const value = input.dataset.kind === "words" ? chosen(input) : read(input);
    if (value === undefined) return draw();
    const { draft } = editor;
    const edits = [];
    // the section around it must be there
    for (let n = 1; n < path.length; n++) {
      const section = setting(draft, path.slice(0, n));
      if (section === undefined) {
        const added = path.slice(n).reduceRight((inner, key) => ({ [key]: inner }), value);
        if (value === null) return;
        edits.push(settingEdit(draft, path.slice(0, n), added));
        break;
      }
      if (!isSection(section)) return draw();
    }
    if (!edits.length) edits.push(settingEdit(draft, path, value));
    if (JSON.stringify(edits[0].before) === JSON.stringify(edits[0].after)) return draw();
    editor.perform(say("rules", { name: path.join(".") }), edits);
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
    for (const section of form.querySelectorAll("[data-section]")) {
      const path = section.dataset.section ? section.dataset.section.split(".") : [];
      const content = path.length ? setting(editor.draft, path) : editor.draft.settings;
      const box = section.querySelector(":scope > legend [data-has]");
      if (box) {
        box.checked = content !== undefined;
        section.querySelector(".keys").hidden = content === undefined;
      }
      const faults = editor.findings.filter((finding) => finding.table === "settings" && about(finding.path, path));
      section.querySelector(".said").replaceChildren(...faults.map((fault) => item(fault.message, fault.advice ? "advice" : "")));
    }
    for (const input of form.querySelectorAll("[data-path]")) {
      const value = setting(editor.draft, input.dataset.path.split("."));
      const wrong = editor.findings.some((finding) => finding.table === "settings" && !finding.advice && finding.path.join(".") === input.dataset.path);
      if (wrong) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
      if (input.dataset.kind === "words") input.checked = Array.isArray(value) && value.includes(input.value);
      else if (input.dataset.kind === "flag") input.checked = value === true;
      else show(input, written(value));
    }
  }

  // A fault belongs to the innermost section that is in the form.
  function about(path, section) {
    const sections = [...form.querySelectorAll("[data-section]")].map((part) => part.dataset.section);
    for (let n = path.length; n >= 0; n--) {
      const dotted = path.slice(0, n).join(".");
      if (sections.includes(dotted)) return dotted === section.join(".");
    }
    return false;
  }

  async function drawBackdrop() {
    const { draft, ground } = editor;
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

  return { draw };
}

// What stands in a field as a value of board.toml; null: nothing; undefined: it cannot be one.
function read(input) {
  const text = input.value?.trim() ?? "";
  const kind = input.dataset.kind;
  if (kind === "flag") return input.checked ? true : null;
  if (!text) return null;
  if (kind === "number" || kind === "decimal") return numeral(text);
  if (kind === "numbers") return text.split(/[\s,;]+/).filter(Boolean).map(numeral);
  if (kind === "lines") return text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (kind === "share") return text.includes(" ") || /[^\d]/.test(text) ? shares(text) : numeral(text);
  if (kind === "edges") return edges(text);
  return text;
}

// What is no number stays as it was typed: the check says what was expected.
function numeral(text) {
  const number = Number(text.replace(",", "."));
  return Number.isFinite(number) && /^[+-]?[\d.,]+$/.test(text) ? number : text;
}

// `train 3, ship 7`
function shares(text) {
  const counts = {};
  for (const part of text.split(",")) {
    const [, name, count] = /^\s*([\p{L}\w-]+)\s*[=:]?\s*(\d+)\s*$/u.exec(part) ?? [];
    if (!name) return text;
    counts[name] = Number(count);
  }
  return counts;
}

// `Lima–Sydney = 5, 3`, a line for each
function edges(text) {
  const lists = {};
  for (const line of text.split("\n").filter((text) => text.trim())) {
    const [, name, counts] = /^(.*?)\s*[=:]\s*([\d.,\s]+)$/.exec(line.trim()) ?? [];
    if (!name) return text;
    lists[name] = counts.split(",").map((count) => Number(count.trim()));
  }
  return lists;
}

function written(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.join(value.some((item) => typeof item === "string") ? "\n" : ", ");
  if (isSection(value)) {
    const lists = Object.values(value).some(Array.isArray);
    return Object.entries(value).map(([key, entry]) => (lists ? `${key} = ${entry.join?.(", ") ?? entry}` : `${key} ${entry}`)).join(lists ? "\n" : ", ");
  }
  return String(value);
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
