// The pages as an app: the service worker, where the browser has one (over https, or on this very machine), and the
// button that installs it, where the browser offers that.

import { address } from "./address.js";

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
