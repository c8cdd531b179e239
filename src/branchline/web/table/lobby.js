// The lobby of a table where somebody is still missing: its invitation as an address, as a code for phones, and handed to
// the apps of a device. A server that was not told its address learns it from the browser, which is there.

import { copyText } from "../core/browser/page.js";

const ONLY_HERE = /^(localhost|127\..*|\[::1\])$/;

export function followLobby() {
  const field = document.getElementById("invitation");
  if (field) {
    complete(field);
    new MutationObserver(() => complete(field)).observe(document.getElementById("waiting"), { attributeFilter: ["data-invite"] });
  }
  for (const button of document.querySelectorAll("[data-share-field]")) button.hidden = !navigator.share;
  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest?.(selector);
    const fold = on("[data-lobby]")?.dataset.lobby;
    if (fold) {
      document.body.toggleAttribute("data-lobby-folded", fold === "fold");
      document.querySelector(fold === "fold" ? "#lobby-back" : "[data-lobby=fold]")?.focus();
    }
    const copied = on("[data-copy-field]");
    if (copied) copyText(document.getElementById(copied.dataset.copyField).value);
    const shared = on("[data-share-field]");
    if (shared) {
      const url = document.getElementById(shared.dataset.shareField).value;
      navigator.share({ title: shared.dataset.shareTitle, url }).catch(() => {}); // closed without sharing
    }
  });
  field?.addEventListener("focus", () => field.select());
}

function complete(field) {
  const local = ONLY_HERE.test(location.hostname);
  const { network } = field.dataset;
  const origin = local && network ? new URL(network).origin : location.origin;
  const { invite } = document.getElementById("waiting").dataset;
  if (!invite) return; // all are here
  field.value = new URL(invite, origin).href;
  for (const image of document.querySelectorAll(".lobby [data-code]")) {
    image.src = `${image.dataset.code}?${new URLSearchParams({ at: origin })}`;
  }
  const hint = document.querySelector("[data-only-here]");
  if (hint) hint.hidden = !local;
}
