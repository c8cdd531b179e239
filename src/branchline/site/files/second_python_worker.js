// The second Python: it does one piece of work after the other (`second_python.js`). Work for the first Python is bytes,
// work for a page of a server is text.

import { keepStarted, startedPython } from "./interpreter.js";

const DONE = `
from branchline.site.second_python import done, thought
lambda work, tell: (thought if isinstance(work, str) else done)(work, tell)`;
let starting;

addEventListener("message", async ({ data: { settings, work } }) => {
  starting ??= started(settings);
  if (!work) return;
  try {
    const done = await starting;
    postMessage({ over: true, message: done(work, (report) => postMessage({ message: report })) });
  } catch (error) {
    postMessage({ over: true, fault: String(error) });
  }
});

async function started(settings) {
  try {
    const { python, memory } = await startedPython(settings, () => {});
    if (memory) keepStarted(memory, settings);
    return python.runPython(DONE);
  } catch (error) {
    postMessage({ missing: String(error) });
    return new Promise(() => {});
  }
}
