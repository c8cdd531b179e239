// Saving and opening the file with everything: what only the browser keeps goes with it, and comes back from it.

import { pathIn, storedAs } from "../core/browser/address.js";
import { newId } from "../core/browser/desk/kept.js";
import { recentBoards, rememberBoard } from "../core/browser/recent_boards.js";

const said = JSON.parse(document.getElementById("said").textContent);
const doing = document.getElementById("doing");
const [saving, opening] = ["saving", "opening"].map((id) => document.getElementById(id));
// What goes along, by names without the path of this application: scoresheets (with an id behind the name) and things
// that there is one of.
const [COUNT, ...SINGLE] = ["branchline count ", "branchline notation", "branchline count-names"];
const PRINTED = /^printed \w{1,40}$/; // what somebody has found out about a printed board
const LONGEST = 200_000; // letters of one thing
const MOST = 200; // scoresheets

for (const form of [saving, opening]) form.elements.boards.value = JSON.stringify(recentBoards().filter(({ edit }) => edit).map(({ path }) => pathIn(path)));

saving.addEventListener("submit", (event) => busy(event, said.saving, async () => {
  const answer = await sent(saving);
  if (!answer.ok) return shown(answer);
  const text = await answer.text(); // as it is: it holds numbers that are too large for scripts
  const whole = `${text.slice(0, text.lastIndexOf("}"))},"browser":${JSON.stringify(kept())}}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([whole], { type: "application/json" }));
  link.download = `branchline-${new Date().toISOString().slice(0, 10)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}));

opening.addEventListener("submit", (event) => busy(event, said.opening, async () => {
  const text = await opening.elements.file.files[0].text();
  const page = await shown(await sent(opening));
  if (!page.querySelector("[data-done]")) return;
  for (const link of page.querySelectorAll("[data-draft]")) remember(link);
  if (takeOver(JSON.parse(text.replace(/^\ufeff/, "")).browser)) {
    const line = document.createElement("li");
    line.textContent = said.kept;
    page.querySelector("ul").append(line);
  }
}));

async function busy(event, text, work) {
  event.preventDefault();
  const buttons = document.querySelectorAll("#saving button, #opening button");
  for (const button of buttons) button.disabled = true;
  doing.textContent = text;
  doing.hidden = false;
  try {
    await work();
    doing.hidden = true;
  } catch (error) {
    console.warn(error);
    doing.textContent = said.failed;
  }
  for (const button of buttons) button.disabled = false;
}

const sent = (form) => fetch(form.action, { method: "POST", body: new FormData(form), headers: { accept: "text/html" } });

// The part of an answered page that says what became of the file, in place of what is here.
async function shown(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById("outcome");
  if (!found) throw new Error(`${answer.status}`);
  document.getElementById("outcome").replaceWith(document.adoptNode(found));
  found.focus();
  return found;
}

// ------------------------------------------------------------------------------------------------ this browser

function remember(link) {
  const path = link.getAttribute("href");
  rememberBoard({ id: pathIn(path).split("/")[2], path, title: link.textContent, edit: true });
}

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(storedAs(name)));
  } catch {
    return null; // nothing is kept, or it is no JSON
  }
}

function write(name, value) {
  try {
    localStorage.setItem(storedAs(name), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// All that goes along, by names without the path of this application.
function kept() {
  const found = {};
  const own = storedAs("").length;
  for (let n = 0; n < localStorage.length; n += 1) {
    const key = localStorage.key(n);
    const name = key.slice(own);
    if (key === storedAs(name) && goesAlong(name)) found[name] = read(name);
  }
  return found;
}

const goesAlong = (name) => SINGLE.includes(name) || PRINTED.test(name) || (name.startsWith(COUNT) && name.length < 60);

// True: something came. What is here stays; a scoresheet that differs from the one of its name gets another name.
function takeOver(things) {
  let some = false;
  const counts = Object.keys(kept()).filter((name) => name.startsWith(COUNT));
  const there = new Set(counts.map((name) => recordIn(read(name))));
  for (const [name, value] of Object.entries(things ?? {}).slice(0, MOST + 20)) {
    if (!goesAlong(name) || typeof value !== "object" || JSON.stringify(value).length > LONGEST) continue;
    const here = localStorage.getItem(storedAs(name)) !== null;
    if (!name.startsWith(COUNT)) {
      if (!here) some = write(name, value) || some;
    } else if (!there.has(recordIn(value)) && counts.length < MOST) {
      some = write(here ? COUNT + newId() : name, value) || some;
      counts.push(name);
    }
  }
  return some;
}

const recordIn = (count) => JSON.stringify(count?.record ?? null);
