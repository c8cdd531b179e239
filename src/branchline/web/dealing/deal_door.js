// The links of a dealt table: copied, read by phones, and kept on the phone of whoever hands them out.

import { keepTable } from "./deal_kept.js";
import { notice } from "../core/browser/notice.js";

const texts = JSON.parse(document.getElementById("texts").textContent);
const { path, title, name, kind } = document.body.dataset;

if (kind === "host") keepTable({ path, title, name });

// A server that was not told its address learns it from the browser, which is there.
for (const image of document.querySelectorAll("[data-code]")) {
  image.src = `${image.dataset.code}?${new URLSearchParams({ at: location.origin })}`;
}
const hint = document.getElementById("only-here");
if (hint) hint.hidden = !/^(localhost|127\..*|\[::1\])$/.test(location.hostname);

document.addEventListener("click", async (event) => {
  const copy = event.target.closest?.("[data-copy]");
  if (!copy) return;
  const address = new URL(copy.dataset.copy, location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    notice(texts.copied);
  } catch {
    notice(address, true); // without permission the link is shown, to be copied by hand
  }
});
