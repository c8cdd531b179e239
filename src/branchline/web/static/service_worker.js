// Keeps the files that all pages are made of, and one page for when the server cannot be reached. Nothing else is kept:
// no table, no link, no answer to anybody. `SHELL` is put before this script by the server.

const NAME = "branchline ";
const CACHE = NAME + SHELL.version;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (SHELL.files.includes(pathname)) event.respondWith(file(request));
});

async function fill() {
  const cache = await caches.open(CACHE);
  const offline = new Request(SHELL.offline, { cache: "reload", credentials: "omit" });
  await cache.addAll([...SHELL.files, offline]);
  await skipWaiting(); // games are on the server: nothing is lost when the worker changes in the middle of one
}

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable(); // pages are asked for while the worker still starts
  await clients.claim();
}

// A page always comes from the server; only when the network brings nothing at all there is another one.
async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const offline = await caches.match(SHELL.offline, { cacheName: CACHE });
    if (offline) return offline;
    throw error;
  }
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
  const goal = new URL(typeof path === "string" ? path : "/", location.origin);
  if (goal.origin !== location.origin) return;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((one) => new URL(one.url).pathname === goal.pathname);
  await (open ? open.focus() : clients.openWindow(goal.href));
}
