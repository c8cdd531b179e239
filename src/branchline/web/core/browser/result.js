// A finished game handed on: as a link with a line of text, and as a picture.

import { copyText } from "./page.js";

export function followResult() {
  document.addEventListener("click", async (event) => {
    const shared = event.target.closest?.("[data-share-result]");
    if (shared) {
      const { shareResult: text, link } = shared.dataset;
      const url = new URL(link || location.href, location.href).href;
      if (navigator.share) navigator.share({ text, url }).catch(() => {}); // closed without sharing
      else copyText(`${text} ${url}`);
    }
    const pictured = event.target.closest?.("[data-picture]");
    if (pictured) savePicture(pictured.dataset.picture, pictured.dataset.name);
  });
}

async function savePicture(address, name) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  canvas.toBlob((blob) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
}
