// Answers every request of the site's pages: files from what is kept here, pages by asking Python in its worker.
// `SITE` stands in front: {version, base, server, shell: [paths], files: {path: digest}}; paths are below the base.

const NAME = `site ${SITE.base} `; // begins as no name of the server's own worker does, which deletes what was an older one's
const CACHE = NAME + SITE.version;
const OLD_NAME = `branchline ${SITE.base} `; // in earlier versions
const PATIENCE = 280_000; // as long as a browser lets one request wait, nearly
const below = (path) => new URL(SITE.base + path, location.origin).href;

addEventListener("install", (event) => {
  event.waitUntil(Promise.all(SITE.shell.map(kept)));
});

addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

addEventListener("message", (event) => {
  if (event.data === "take over") skipWaiting();
  if (event.data === "keep all") event.waitUntil(keepAll(event.source));
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (isOfServer(url)) return;
  if (url.origin !== location.origin || !url.pathname.startsWith(SITE.base)) {
    event.respondWith(Response.error()); // nothing is asked of any other address
    return;
  }
  const path = decodeURI(url.pathname.slice(SITE.base.length));
  if (event.request.mode === "navigate" && event.request.destination === "document") {
    event.respondWith(kept("index.html"));
  } else if (path in SITE.files) {
    event.respondWith(kept(path));
  } else if (SITE.server !== null && path.startsWith("site/")) {
    event.respondWith(fetch(event.request)); // of the version that a page of the server uses
  } else {
    event.respondWith(answered(event.request, url));
  }
});

// Whether an address is one of the server that this site belongs to, if it belongs to one.
function isOfServer({ origin, pathname }) {
  return SITE.server !== null && origin === location.origin && pathname.startsWith(SITE.server) && !pathname.startsWith(SITE.base);
}

async function takeOver() {
  for (const name of await caches.keys()) {
    if ((name.startsWith(NAME) && name !== CACHE) || name.startsWith(OLD_NAME)) await caches.delete(name);
  }
  await clients.claim();
}

async function keepAll(client) {
  try {
    await Promise.all(Object.keys(SITE.files).map(kept));
    client.postMessage({ kept: true });
  } catch (error) {
    client.postMessage({ kept: false, full: error.name === "QuotaExceededError" });
  }
}

// A file of the site: what is kept, or what is fetched now. What is asked for twice at once is fetched once: who comes second
// would not have it when the network goes, though it is kept. A download that has come to a halt holds up nobody for good.
const coming = new Map(); // path: its answer, until that is here
const SHARED = 15_000; // milliseconds after which the next one who asks fetches it anew

async function kept(path) {
  const cache = await caches.open(CACHE);
  const here = await cache.match(below(path));
  if (here) return here;
  if (!coming.has(path)) share(path, fetched(path, cache));
  return (await coming.get(path)).clone();
}

function share(path, answer) {
  const end = () => coming.get(path) === answer && coming.delete(path);
  coming.set(path, answer);
  answer.then(end, end);
  setTimeout(end, SHARED);
}

// A file as the server has it, once it is seen to be the file that was built; from now on it is kept.
async function fetched(path, cache) {
  const found = await fetch(below(path), { cache: "no-cache", integrity: `sha256-${SITE.files[path]}` });
  if (!found.ok) return found;
  try {
    await cache.put(below(path), found.clone());
  } catch {
    // Without room it is fetched again the next time; who wants to play without a network is told by `keepAll`.
  }
  return found;
}

// What Python answers. It may still be starting: then the question is asked again when it is ready.
async function answered(request, url) {
  const channel = new BroadcastChannel(`branchline ${SITE.base}`);
  const ask = {
    ask: crypto.randomUUID(),
    method: request.method,
    url: url.pathname + url.search,
    headers: [...request.headers],
    body: new Uint8Array(await request.arrayBuffer()),
  };
  try {
    return await new Promise((resolve) => {
      channel.onmessage = ({ data }) => {
        if (data.state === "ready") channel.postMessage(ask);
        if (data.answer === ask.ask) resolve(response(data));
      };
      channel.postMessage(ask);
      setTimeout(() => resolve(Response.error()), PATIENCE);
    });
  } finally {
    channel.close();
  }
}

function response({ status, headers, body }) {
  const bare = [101, 204, 205, 304].includes(status);
  return new Response(bare ? null : body, { status, headers });
}
