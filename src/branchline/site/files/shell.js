// The frame around all pages of the site: it keeps Python alive while pages come and go, and tells what is going on.

const { base, version, later, steps, handed, languages, words } = JSON.parse(document.getElementById("site").textContent);
const frame = document.querySelector("iframe");
const progress = document.querySelector("progress");
const told = document.querySelector("[role=status]");
const channel = new BroadcastChannel(`branchline ${base}`);
const language = pick();
const say = words[language];
const AWAY_FROM_GAMES = /^(new|learn|rules|mine|count|workshop|puzzles|mistakes)?(\?|#|$)/;
const WAYS = { full: ["along", "mine"], forgets: ["along"] };
let shown = ""; // where the page in the frame is, below the base
let touched = false;
const games = handed && (await import(handed)); // of the server that this site belongs to
const LOOK = 3000; // ms between looks whether that can be reached
const READ = 10000; // ms for which it stands over a game that this goes on without it

function pick() {
  const chosen = document.cookie.match(/(?:^|; )branchline_language[^=]*=(\w+)/)?.[1];
  const wanted = [chosen, ...navigator.languages.map((code) => code.split("-")[0].toLowerCase())];
  return wanted.find((code) => languages.includes(code)) ?? languages[0];
}

function tell(text, lasting = false) {
  told.replaceChildren(text);
  told.hidden = !text;
  told.classList.toggle("trouble", lasting);
}

// What this browser does not do, with the pages that help; nothing: it does it again.
function complain(what) {
  tell(say[what] ?? "", Boolean(what));
  for (const path of WAYS[what] ?? []) {
    const way = Object.assign(document.createElement("a"), { href: base + path, target: frame.name, textContent: say[path] });
    told.append(" ", way);
  }
}

addEventListener("message", ({ origin, source, data }) => {
  if (origin !== location.origin || source !== frame.contentWindow || typeof data.at !== "string") return;
  const url = new URL(data.at, location.origin);
  shown = url.pathname.slice(base.length) + url.search;
  const home = /^home\.\w+\.html$/.test(shown);
  history.replaceState(null, "", home ? base : data.at);
  document.title = data.title;
  frame.title = data.title;
  for (const event of ["input", "pointerdown", "keydown"]) frame.contentWindow.addEventListener(event, () => (touched = true), { once: true });
  renew();
});

// A new version of the site is taken over between games, never in one.
let waiting = null;
function renew() {
  if (waiting && AWAY_FROM_GAMES.test(shown)) waiting.postMessage("take over");
}

function show() {
  const path = location.pathname.slice(base.length);
  const home = path === "" || path === "index.html";
  frame.contentWindow.location.replace(home ? `${base}home.${language}.html` : location.href);
  frame.hidden = false;
}

async function registered() {
  try {
    return await navigator.serviceWorker.register(`${base}service-worker.js`, { scope: base, updateViaCache: "none" });
  } catch (error) {
    throw ["SecurityError", "NotSupportedError"].includes(error.name) ? new Error(say.blocked) : error;
  }
}

async function serviceWorker() {
  if (!isSecureContext) throw new Error(say.unsafe);
  if (!navigator.serviceWorker) throw new Error(say.blocked);
  const first = !navigator.serviceWorker.controller;
  const registration = await registered();
  const look = () => {
    waiting = navigator.serviceWorker.controller ? registration.waiting : null;
    renew();
  };
  registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", look));
  look();
  if (first) await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.kept) document.documentElement.dataset.kept = version;
    else if (data.full) tell(say.only_online, true);
  });
}

// One tab of all has Python; when it is closed, another one takes its place.
function python() {
  navigator.locks.request(`branchline ${base}`, () => new Promise(begin));
  channel.postMessage({ who: true });
}

function begin() {
  const worker = new Worker(`${base}site/${version}/python_worker.js`, { type: "module" });
  worker.postMessage({ base, version, later, steps, handed });
  worker.onmessage = ({ data }) => {
    if (data.done) at(data.done / data.of);
    if (data.started) document.documentElement.dataset.started = version; // and the next start is a quick one
    if (data.failed) tell(`${say.failed} ${data.failed}`, true);
  };
  worker.onerror = (event) => tell(`${say.failed} ${event.message ?? ""}`, true);
}

function at(part) {
  progress.value = part;
  progress.hidden = part >= 1;
  if (part < 1 && !told.classList.contains("trouble")) tell(say.starting);
}

channel.onmessage = ({ data }) => {
  if ("trouble" in data) complain(data.trouble);
  if (data.state !== "ready" || document.documentElement.dataset.ready) return;
  document.documentElement.dataset.ready = version;
  at(1);
  if (!told.classList.contains("trouble")) tell("");
  if (/^home\./.test(shown) && !touched) frame.contentWindow.location.replace(base); // with the games of this browser
  navigator.serviceWorker.controller.postMessage("keep all");
};

// The game of a table of the server, as it was handed over; one that went on here already goes on as it is.
async function takeOn() {
  const room = tableIn(location.pathname.slice(base.length));
  const entry = room && games.handed(room);
  if (!entry || entry.played) return;
  const form = new FormData();
  form.set("file", entry.copy);
  const answer = await fetch(`${base}along/on`, { method: "POST", body: form });
  if (!answer.ok) throw new Error(`${answer.status}`);
  games.keep(room, { ...entry, left: entry.version });
}

const tableIn = (path) => path.match(/^t\/(\w+)$/)?.[1];

// Back at the server, as soon as it answers and no press is under way.
async function lookForServer() {
  if (document.hidden) return;
  const answers = await fetch(`${games.server}/readyz`, { cache: "no-store" }).then(({ ok }) => ok, () => false);
  if (!document.documentElement.dataset.ready) return;
  const room = tableIn(shown);
  const goesOn = room && games.handed(room)?.left !== undefined;
  if (answers && goesOn) {
    if (!frame.contentDocument.body.classList.contains("waiting")) location.replace(`${games.server}/t/${room}`);
  } else if (!told.classList.contains("trouble")) {
    tellOfServer(goesOn ? say.offline : answers && !room ? say.online : "");
  }
}

function tellOfServer(text) {
  if (told.firstChild?.data === text) return; // who listens is told once
  tell(text);
  if (text === say.offline) setTimeout(() => (told.hidden ||= told.firstChild?.data === text), READ);
  if (text === say.online) told.append(" ", Object.assign(document.createElement("a"), { href: `${games.server}/`, textContent: say.server }));
}

document.documentElement.lang = language;
const path = location.pathname.slice(base.length);
if (path === "" || path === "index.html") show(); // readable before anything else is here
try {
  await serviceWorker();
  at(0);
  python();
  if (games) await takeOn();
  if (frame.hidden) show();
  if (games) setInterval(lookForServer, LOOK);
} catch (error) {
  tell(`${say.failed} ${error.message}`, true);
}
