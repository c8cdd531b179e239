// The dialogs of the editor: as printed, play, links; in and out is in `editor_files.js`.

import { editorFiles, listFiles } from "./editor_files.js";
import { post, settled } from "./editor_requests.js";

const id = (name) => document.getElementById(name);

export function editorDialogs(editor) {
  const opened = { printed: () => showPrinted(editor), play: () => showPlay(editor), inout: () => listFiles(editor) };

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
    if (copy) copyText(editor, new URL(copy.dataset.copy, location.href).href);
  });
  id("play-seats").addEventListener("change", offerFriends);
  id("play-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    if (await settled(editor, id("play-said"))) form.submit();
  });
  for (const box of document.querySelectorAll("[data-link]")) box.value = new URL(box.dataset.link, location.href).href;
  id("public")?.addEventListener("change", ({ target }) => makePublic(editor, target));
  editorFiles(editor);
}

async function showPrinted(editor) {
  const { start, say } = editor;
  const [box, image, link, pdf] = [id("printed-said"), id("printed-image"), id("printed-save"), id("printed-pdf")];
  box.textContent = say("checking");
  image.hidden = link.hidden = pdf.hidden = true;
  if (!(await settled(editor, box))) return;
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

function showPlay({ draft, findings, say }) {
  const { settings } = draft;
  const [low, high] = [settings.seats?.from, settings.seats?.to].map((count, n) => (Number.isInteger(count) ? Math.min(Math.max(count, 2), 5) : [2, 5][n]));
  const seats = id("play-seats");
  const before = Number(seats.value) || Math.min(low + 1, high);
  seats.replaceChildren();
  for (let n = low; n <= high; n++) seats.append(new Option(String(n), String(n), n === before, n === before));
  offerFriends();
  const faults = findings.filter((finding) => !finding.advice).length;
  id("play-said").textContent = faults ? say("faulty") : "";
}

function offerFriends() {
  const box = id("play-friends");
  const before = box.value;
  const most = Number(id("play-seats").value) - 1;
  box.replaceChildren();
  for (let n = 0; n <= most; n++) box.append(new Option(String(n), String(n), String(n) === before, String(n) === before));
}

async function copyText({ notice, say }, text) {
  try {
    await navigator.clipboard.writeText(text);
    notice(say("copied"));
  } catch {
    notice(text, true); // without permission the link is shown, to be copied by hand
  }
}

async function makePublic(editor, box) {
  try {
    const answer = await post(editor, "public", { public: box.checked ? "1" : "" });
    if (!answer.ok) throw new Error(String(answer.status));
    id("public-said").textContent = editor.say(box.checked ? "public" : "private");
  } catch {
    box.checked = !box.checked;
    id("public-said").textContent = editor.say("failed");
  }
}
