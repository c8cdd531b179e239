// How a board plays: while games are played, the figures are fetched again and again.

const page = document.body.dataset;
const SOON = 1500; // ms
const LATER = 5000; // after a failure

async function look() {
  let running = true;
  let wait = SOON;
  try {
    const answer = await fetch(`${page.balance}/progress?since=${page.looks}`, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const progress = await answer.json();
    running = progress.running;
    const bar = document.querySelector("#standing progress");
    if (bar && progress.asked) [bar.max, bar.value] = [progress.asked, progress.played];
    if (progress.parts) show(progress);
  } catch {
    wait = LATER;
  }
  if (running) setTimeout(look, wait);
}

function show(progress) {
  page.looks = progress.looks;
  const open = [...document.querySelectorAll("#figures details")].map((section) => section.open);
  const [x, y] = [scrollX, scrollY];
  for (const [id, html] of Object.entries(progress.parts)) {
    const place = document.getElementById(id);
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("progress-said");
    const line = document.getElementById("progress-said");
    if (id === "standing" && fresh && line) {
      if (line.textContent !== fresh.textContent) line.textContent = fresh.textContent; // the rest stays: its button may be in focus
    } else place.innerHTML = html;
  }
  document.querySelectorAll("#figures details").forEach((section, n) => (section.open = open[n] ?? false));
  scrollTo(x, y);
  document.dispatchEvent(new Event("tables"));
}

if (page.running) setTimeout(look, SOON);
