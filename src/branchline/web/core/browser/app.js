// What all pages have: the colours and the settings, which take effect at once; menus that close when the press is elsewhere.
//
// And the pages as an app: the service worker, where the browser has one (over https, or on this very machine), and the
// button that installs it, where the browser offers that.

import { address, cookieName, cookiePath } from "./address.js";

if ("serviceWorker" in navigator) {
  addEventListener("load", () => {
    // A browser that refuses (a private window, a certificate of one's own) goes on without.
    navigator.serviceWorker.register(address("/service-worker.js"), { updateViaCache: "none" }).catch(() => {});
  });
}

addEventListener("beforeinstallprompt", (offer) => {
  offer.preventDefault(); // nobody is asked before pressing the button
  const button = document.getElementById("install");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.hidden = true; // an offer can be used once; the browser makes another one
    await offer.prompt();
  }, { once: true });
});

const MENUS = "details[open]:is(.masthead .menu, .places)";
const YEAR = 365 * 86_400; // seconds
const SHOWN = ["theme", "motion", "confirm", "sound"]; // settings that a page carries at its root
const USUAL = { theme: "auto", motion: "auto", confirm: "touch", sound: "on" };

for (const menu of document.querySelectorAll("[data-themes]")) menu.hidden = false;

document.addEventListener("click", (event) => {
  const chosen = event.target.closest?.("[data-choose-theme]");
  if (chosen) chooseTheme(chosen.dataset.chooseTheme);
  for (const menu of document.querySelectorAll(MENUS)) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.(MENUS);
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Kept as the form of settings keeps it, but without the server: so it works offline and on pages that know nobody.
function chooseTheme(value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  const age = value ? YEAR : 0;
  document.cookie = `${cookieName("theme")}=${value}; path=${cookiePath}; max-age=${age}; samesite=lax${secure}`;
  show("theme", value);
  for (const button of document.querySelectorAll("[data-choose-theme]")) button.setAttribute("aria-pressed", String(button.dataset.chooseTheme === value));
}

function show(name, value) {
  document.documentElement.dataset[name] = value || USUAL[name];
  for (const field of document.querySelectorAll(`.settings select[name="${name}"]`)) field.value = value;
}

document.addEventListener("change", async (event) => {
  const { form, name, value } = event.target;
  if (!form?.closest(".settings") || !SHOWN.includes(name)) return;
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" }).catch(() => null);
  if (answer?.type === "opaqueredirect") show(name, value);
});
