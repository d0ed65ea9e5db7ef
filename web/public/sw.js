/* Keeps the shell of the pages (the page, its scripts, styles and font) for when the line is slow or gone.
   Answers of the house are never kept: they pass by untouched. */

const SHELL = "pairhouse-shell-1";
const KEPT_MAX = 80;
const isHashed = (path) => path.startsWith("/assets/");
const isPage = (path) => path === "/" || path === "/index.html" || path === "/icon.svg" || path === "/manifest.webmanifest";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add("/")).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (isHashed(url.pathname)) event.respondWith(fromShellFirst(request));
  else if (isPage(url.pathname)) event.respondWith(fromHouseFirst(request));
});

/** A file that is named by its content never changes. */
async function fromShellFirst(request) {
  return (await caches.match(request)) ?? keep(request, await fetch(request));
}

/** The page may have changed; without the line, the one that was kept. */
async function fromHouseFirst(request) {
  try {
    return await keep(request, await fetch(request));
  } catch (problem) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept === undefined) throw problem;
    return kept;
  }
}

async function keep(request, answer) {
  if (!answer.ok) return answer;
  const shell = await caches.open(SHELL);
  await shell.put(request, answer.clone());
  const kept = await shell.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - KEPT_MAX)).map((old) => shell.delete(old)));
  return answer;
}
