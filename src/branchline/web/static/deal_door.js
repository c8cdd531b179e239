// The links of a dealt table: copied, and kept on the phone of whoever hands them out.

import { keepTable } from "./deal_kept.js";
import { notice } from "./notice.js";

const texts = JSON.parse(document.getElementById("texts").textContent);
const { path, title, name, kind } = document.body.dataset;

if (kind === "host") keepTable({ path, title, name });

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
