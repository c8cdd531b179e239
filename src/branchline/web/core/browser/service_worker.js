// Keeps the files that all pages are made of, and one page for when the server cannot be reached. Of the pages only those
// that count and note games and those with rules are kept once they were open, with the facts of boards: as they are made for
// nobody in particular. No table is kept, no link, no answer to anybody. `SHELL` is put before this script by the server.

const NAME = SHELL.root ? `${SHELL.root} branchline ` : "branchline "; // another server at this host has files of its own
const CACHE = NAME + SHELL.version;
const COUNTING = /^\/(notate|count(\/[\w-]+\.json)?)$/; // below the root
const RULES = /^\/rules(\/[\w-]+)?$/;
const KEPT = { "x-kept": "yes" }; // asks for a page that is made for nobody in particular
const PATIENCE = 4000; // milliseconds for the network, where something is kept

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (counts(pathname)) event.respondWith(counting(event));
  else if (request.mode === "navigate") event.respondWith(page(event));
  else if (SHELL.files.includes(pathname)) event.respondWith(file(request));
});

const below = (pathname) => (pathname.startsWith(`${SHELL.root}/`) ? pathname.slice(SHELL.root.length) : "");

const counts = (pathname) => COUNTING.test(below(pathname));

async function fill() {
  const cache = await caches.open(CACHE);
  const offline = new Request(SHELL.offline, { cache: "reload", credentials: "omit" });
  await cache.addAll([...SHELL.files, offline]);
  await renew(cache);
  await skipWaiting(); // games are on the server: nothing is lost when the worker changes in the middle of one
}

// What an older worker has kept for counting is fetched anew: it belongs to files that go.
async function renew(cache) {
  for (const name of (await caches.keys()).filter((cache) => cache.startsWith(NAME) && cache !== CACHE)) {
    for (const { url } of await (await caches.open(name)).keys()) {
      const { pathname } = new URL(url);
      if (!counts(pathname) && !RULES.test(below(pathname))) continue;
      const answer = await fetch(url, { cache: "reload", headers: KEPT });
      if (answer.ok) await cache.put(url, answer);
    }
  }
}

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable(); // pages are asked for while the worker still starts
  await clients.claim();
}

// A page always comes from the server; only when the network brings nothing at all there is another one: of rules as they
// were kept, in place of all others the one for that.
async function page(event) {
  const { pathname } = new URL(event.request.url);
  const rules = RULES.test(below(pathname));
  try {
    const fresh = await fetched(event);
    if (rules && fresh.ok) event.waitUntil(keepRules(pathname));
    return fresh;
  } catch (error) {
    const kept = rules && (await caches.match(pathname, { cacheName: CACHE }));
    const offline = kept || (await caches.match(SHELL.offline, { cacheName: CACHE }));
    if (offline) return offline;
    throw error;
  }
}

// Once, and as it is made for nobody in particular.
async function keepRules(pathname) {
  const cache = await caches.open(CACHE);
  if (await cache.match(pathname)) return;
  const answer = await fetch(pathname, { headers: KEPT }).catch(() => null);
  if (answer?.ok && !answer.redirected) await cache.put(pathname, answer);
}

// From the network, and kept; without one, or when it takes too long, as it was kept last.
async function counting(event) {
  const { pathname, search } = new URL(event.request.url);
  const key = pathname.startsWith(`${SHELL.root}/count/`) ? pathname + search : pathname;
  const cache = await caches.open(CACHE);
  const kept = await cache.match(key);
  const fresh = fetched(event).then(async (answer) => {
    if (answer.ok && !answer.redirected) await cache.put(key, answer.clone());
    return answer;
  });
  event.waitUntil(fresh.catch(() => {}));
  if (!kept) return fresh.catch(() => (event.request.mode === "navigate" ? caches.match(SHELL.offline, { cacheName: CACHE }) : Response.error()));
  const late = new Promise((done) => setTimeout(done, PATIENCE, kept));
  return Promise.race([fresh.then((answer) => (answer.status >= 500 ? kept : answer)).catch(() => kept), late]);
}

async function fetched(event) {
  return (await event.preloadResponse) ?? (await fetch(event.request));
}

async function file(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

// A notification names its table: `{ data: { path: "/t/…" } }`. Pressed, it brings that table to the front.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(bring(event.notification.data?.path));
});

async function bring(path) {
  const goal = new URL(typeof path === "string" ? path : `${SHELL.root}/`, location.origin);
  if (goal.origin !== location.origin) return;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === goal.pathname);
  await (open ? open.focus() : clients.openWindow(goal.href));
}
