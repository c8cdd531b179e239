// How to be told of one's turn: the dialog, and notifications of this page while somebody looks elsewhere.

import { address, storedAs } from "../core/browser/address.js";
import { notice, texts } from "../core/browser/page.js";

const KEPT = storedAs("branchline notices"); // whether this browser wants notifications, and its quiet hours

let form; // as it was when the page last heard of it

export function followNotices() {
  const dialog = document.getElementById("notices");
  if (!dialog) return; // who has no seat is not asked anything
  const goal = address(`/t/${document.body.dataset.room}/notices`);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-open=notices]")) load(dialog, goal);
  });
  dialog.addEventListener("submit", (event) => {
    if (event.target.method === "dialog") return;
    event.preventDefault();
    load(dialog, goal, event.target, event.submitter);
  });
  dialog.addEventListener("change", (event) => {
    if (event.target.matches("[data-page-notices]")) choosePage(event.target);
  });
}

async function load(dialog, goal, sent, button) {
  const body = sent && new URLSearchParams(new FormData(sent, button));
  sent?.setAttribute("aria-busy", "true");
  if (button) button.disabled = true;
  try {
    const answer = await fetch(goal, { method: sent ? "POST" : "GET", body });
    if (answer.status === 403) return notice((await answer.json()).why, true);
    if (!answer.ok && answer.status !== 400) throw new Error(String(answer.status));
    show(dialog.querySelector("#notices-form"), await answer.text());
    if (sent && answer.ok) keep({ ...kept(), quiet: quietHours(form) });
    if (sent) (dialog.querySelector("[aria-invalid]") ?? dialog.querySelector(`[name=do][value=${button.value}]`)).focus();
  } catch {
    notice(texts.away);
    if (button) button.disabled = false;
    sent?.removeAttribute("aria-busy");
  }
}

function show(place, html) {
  place.innerHTML = html;
  form = place.querySelector("form");
  document.getElementById("notices-said").textContent = place.querySelector("[data-said]")?.textContent ?? "";
  if (!form) return;
  form.elements.zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  for (const time of form.querySelectorAll("[data-at]")) {
    time.textContent = new Date(1000 * time.dataset.at).toLocaleString(document.documentElement.lang);
  }
  const box = form.querySelector("[data-page-notices]");
  box.checked = Boolean(kept().page) && globalThis.Notification?.permission === "granted";
  box.disabled = !("Notification" in globalThis);
  showRefusal(globalThis.Notification?.permission === "denied");
}

function showRefusal(refused) {
  form.querySelector("[data-page-notices-refused]").hidden = !refused;
}

// Browsers are asked for permission only here, on a press.
async function choosePage(box) {
  if (box.checked && (await Notification.requestPermission()) !== "granted") box.checked = false;
  showRefusal(Notification.permission === "denied");
  keep({ ...kept(), page: box.checked });
}

// Only while the page is hidden: who looks at the table sees it.
export async function showNotice(title) {
  if (!kept().page || !document.hidden || quietNow() || globalThis.Notification?.permission !== "granted") return;
  const look = { tag: storedAs(`branchline ${document.body.dataset.room}`), data: { path: location.pathname } };
  try {
    const shown = new Notification(title, look);
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    const worker = await navigator.serviceWorker?.getRegistration(); // phones let only these show something
    await worker?.showNotification(title, look);
  }
}

function quietHours({ elements }) {
  return elements.quiet.checked ? [elements.quiet_from.value, elements.quiet_to.value] : null;
}

export function quietNow() {
  const { quiet } = kept();
  if (!quiet) return false;
  const [from, to] = quiet;
  const now = new Date().toTimeString().slice(0, 5);
  return from < to ? now >= from && now < to : from !== to && (now >= from || now < to);
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep(wishes) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(wishes));
  } catch {
    return; // this browser keeps nothing
  }
}
