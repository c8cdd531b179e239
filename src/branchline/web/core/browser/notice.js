// The line that tells of something for a while, on every page that has one.

const SHOWN = 6000; // ms

let fading;

export function notice(text, lasting = false) {
  const box = document.getElementById("notice");
  box.textContent = text || "";
  box.hidden = !text;
  box.ariaHidden = null;
  box.removeAttribute("style"); // where it stood beside something
  clearTimeout(fading);
  if (text && !lasting) fading = setTimeout(() => (box.hidden = true), SHOWN);
}
