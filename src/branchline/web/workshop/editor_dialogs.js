// The dialogs of the editor: as printed, play, links, import and export.

import { storedAs } from "../core/browser/address.js";
import { item } from "./editor_card.js";
import { readFiles } from "./workshop_files.js";

export function editorDialogs(editor) {
  const { start, say } = editor;
  const id = (name) => document.getElementById(name);

  document.addEventListener("click", (event) => {
    const open = event.target.closest?.("[data-open]")?.dataset.open;
    if (open) {
      event.target.closest("details.menu")?.removeAttribute("open");
      id(open).showModal();
      opened[open]?.();
    }
    if (event.target.matches?.("dialog")) event.target.close(); // a press beside it
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
    const copy = event.target.closest?.("[data-copy]");
    if (copy) copyText(new URL(copy.dataset.copy, location.href).href);
  });

  const opened = { printed, play, inout: exportsList };

  // The server knows what is drawn only when it has all steps.
  async function settled(box) {
    try {
      await editor.settled();
      return true;
    } catch {
      box.textContent = say("away");
      return false;
    }
  }

  async function printed() {
    const [box, image, link, pdf] = [id("printed-said"), id("printed-image"), id("printed-save"), id("printed-pdf")];
    box.textContent = say("checking");
    image.hidden = link.hidden = pdf.hidden = true;
    if (!(await settled(box))) return;
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    const address = `${start.path}/drawing.svg?theme=${dark ? "dark" : "light"}&at=${Date.now()}`;
    try {
      const answer = await fetch(address, { headers: { accept: "application/json" } });
      if (answer.status === 409) {
        box.textContent = say("faulty");
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      image.onload = () => {
        image.hidden = link.hidden = pdf.hidden = false;
        box.textContent = "";
      };
      image.src = address;
    } catch (error) {
      box.textContent = say("no_drawing", { why: error.message });
    }
  }

  function play() {
    const { settings } = editor.draft;
    const [low, high] = [settings.seats?.from, settings.seats?.to].map((count, n) => (Number.isInteger(count) ? Math.min(Math.max(count, 2), 5) : [2, 5][n]));
    const seats = id("play-seats");
    const before = Number(seats.value) || Math.min(low + 1, high);
    seats.replaceChildren();
    for (let n = low; n <= high; n++) seats.append(new Option(String(n), String(n), n === before, n === before));
    friends();
    const faults = editor.findings.filter((finding) => !finding.advice).length;
    id("play-said").textContent = faults ? say("faulty") : "";
  }

  function friends() {
    const box = id("play-friends");
    const before = box.value;
    const most = Number(id("play-seats").value) - 1;
    box.replaceChildren();
    for (let n = 0; n <= most; n++) box.append(new Option(String(n), String(n), String(n) === before, String(n) === before));
  }
  id("play-seats").addEventListener("change", friends);
  id("play-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    if (await settled(id("play-said"))) form.submit();
  });

  for (const box of document.querySelectorAll("[data-link]")) box.value = new URL(box.dataset.link, location.href).href;

  async function copyText(text) {
    try {
      await navigator.clipboard.writeText(text);
      editor.notice(say("copied"));
    } catch {
      editor.notice(text, true); // without permission the link is shown, to be copied by hand
    }
  }

  async function post(action, fields) {
    const body = new FormData();
    body.set("csrf", start.csrf);
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return fetch(`${start.path}/${action}`, { method: "POST", body });
  }

  id("public")?.addEventListener("change", async ({ target }) => {
    try {
      const answer = await post("public", { public: target.checked ? "1" : "" });
      if (!answer.ok) throw new Error(String(answer.status));
      id("public-said").textContent = say(target.checked ? "public" : "private");
    } catch {
      target.checked = !target.checked;
      id("public-said").textContent = say("failed");
    }
  });

  // ---------------------------------------------------------------- in and out

  async function exportsList() {
    const box = id("exports");
    const fixed = [...box.querySelectorAll("[data-fixed]")];
    if (!(await settled(id("import-said") ?? box))) return;
    try {
      const names = await (await fetch(`${start.path}/files`)).json();
      const links = names.map((name) => {
        const link = document.createElement("a");
        link.href = `${start.path}/files/${encodeURIComponent(name)}`;
        link.download = name;
        link.textContent = name;
        const line = document.createElement("li");
        line.append(link);
        return line;
      });
      box.replaceChildren(...fixed, ...links);
    } catch {
      box.replaceChildren(item(say("failed")));
    }
  }

  id("import-files")?.addEventListener("change", async ({ target }) => {
    const box = id("import-said");
    box.replaceChildren();
    if (!target.files.length || !(await settled(box))) return;
    try {
      const answer = await post("read", await readFiles(target.files));
      if (answer.status === 413) return void (box.textContent = say("too_large"));
      const suggested = await answer.json();
      if (!answer.ok) return void (box.textContent = suggested.why ?? say("failed"));
      const names = [...target.files].map((file) => file.name).join(", ");
      editor.perform(say("replace", { name: names }), suggested.step.edits);
      showReasons(box, suggested.reasons);
    } catch {
      box.textContent = say("failed");
    } finally {
      target.value = "";
    }
  });

  function showReasons(box, reasons) {
    const list = document.createElement("ul");
    list.lang = "en";
    list.append(...reasons.map((reason) => item(reason)));
    const head = document.createElement("p");
    head.textContent = say(reasons.length ? "opened" : "all_kept");
    box.replaceChildren(head, list);
  }

  // What could not be read of the files that this board began with.
  const kept = storedAs(`branchline opened ${start.id}`);
  const left = sessionStorage.getItem(kept);
  if (left) {
    sessionStorage.removeItem(kept);
    const reasons = JSON.parse(left);
    if (reasons.length && id("import-said")) {
      id("inout").showModal();
      showReasons(id("import-said"), reasons);
      exportsList();
    }
  }
}
