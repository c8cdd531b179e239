// What takes long is worked out in this browser, where its server leaves that to browsers: by a Python of the site that the
// server brings along. A form says what there is to do (`data-work`), where what was found is sent (`data-found`), for this
// browser's eyes only, and which parts of the page show it (`data-into`). It is kept here, too, since the server forgets it.
// Where no Python runs, the form is sent, and the server works it out.

import { storedAs } from "./address.js";
import { put } from "./fragments.js";
import { here } from "./handed.js";

const KEPT = storedAs("branchline found");
const MOST = 20; // things that are kept
let python;

// The answer of some work, or null if none came; `hear` is told how far it is.
export async function workedOut(work, hear = () => {}, signal = undefined) {
  const second = await (python ??= secondPython());
  if (!second || signal?.aborted) return null;
  return new Promise((resolve) => {
    const number = second.begin(JSON.stringify(work), (message, fault = "there is no Python") => {
      const [kind, content] = message ? JSON.parse(message) : ["fault", fault];
      if (kind === "report") return hear(content);
      if (kind !== "answer") console.warn(content);
      resolve(kind === "answer" ? content : null);
    });
    signal?.addEventListener("abort", () => {
      second.end(number);
      resolve(null);
    });
  });
}

async function secondPython() {
  if (navigator.connection?.saveData) return null;
  try {
    const frame = document.createElement("template");
    frame.innerHTML = await (await asked(`${here}/`)).text();
    const settings = JSON.parse(frame.content.getElementById("site").textContent);
    return (await import(`${here}/site/${settings.version}/second_python.js`)).secondPython(settings);
  } catch (error) {
    console.warn(error);
    return null;
  }
}

async function asked(address, options) {
  const answer = await fetch(address, options);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer;
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-work]");
  if (!form) return;
  event.preventDefault();
  think(form).catch((error) => {
    console.warn(error);
    form.submit();
  });
});

async function think(form) {
  const shown = form.parentElement.querySelector(".thinking");
  const bar = shown.querySelector("progress");
  const enough = new AbortController();
  let so_far = null; // what was found when somebody says that it is enough
  shown.querySelector("[data-enough]")?.addEventListener("click", () => enough.abort());
  [form.hidden, shown.hidden] = [true, false];
  const { work, version } = await (await asked(form.dataset.work)).json();
  const answer = await workedOut(work, (report) => {
    if ("of" in report) [bar.max, bar.value] = [report.of, report.done];
    so_far = report.found ?? so_far;
  }, enough.signal);
  const found = answer ?? so_far;
  if (found !== null && (await show(form, { found, version }))) return;
  if (enough.signal.aborted) [form.hidden, shown.hidden] = [false, true];
  else form.submit();
}

// Returns whether the server takes it for what it asked for.
async function show(form, { found, version }) {
  const { found: to, into } = form.dataset;
  const sent = new FormData(form);
  sent.set("found", found);
  sent.set("version", version);
  const answer = await fetch(to, { method: "POST", body: sent, headers: { accept: "text/html" } });
  if (!answer.ok) return false;
  const page = document.createElement("template"); // whose styles do nothing
  page.innerHTML = await answer.text();
  put(Object.fromEntries(into.split(" ").map((id) => [id, page.content.getElementById(id).outerHTML])));
  document.dispatchEvent(new Event("tables"));
  await keep(nameOf(form), { found, version });
  return true;
}

// ------------------------------------------------------------------------------------------------ what is kept

const nameOf = (form) => form.dataset.found.split("?")[0];

async function keep(name, entry) {
  try {
    const cache = await caches.open(KEPT);
    await cache.put(name, new Response(JSON.stringify(entry)));
    for (const old of (await cache.keys()).slice(0, -MOST)) await cache.delete(old);
  } catch (error) {
    console.warn(error); // without room it is worked out again
  }
}

// Once more for a server that has forgotten it.
export async function showKept() {
  for (const form of document.querySelectorAll("form[data-kept]:not([hidden])")) {
    try {
      const cache = await caches.open(KEPT);
      const kept = await cache.match(nameOf(form));
      if (kept && !(await show(form, await kept.json()))) await cache.delete(nameOf(form)); // it is about an older board
    } catch (error) {
      console.warn(error); // nothing is kept here, or the network is gone
    }
  }
}

showKept();
