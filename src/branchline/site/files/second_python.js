// A Python beside the one that makes the pages, for what takes long: it is started when there is something to do, does
// one piece of work at a time, and ends when there has been nothing to do for a while.

const IDLE = 30_000; // ms

// What Python calls as `js.branchlineSecondPython` (`site/second_python.py`).
export function secondPython(settings) {
  const line = []; // the first one is being done
  let worker = null;
  let ending;
  let last = 0;

  function next() {
    clearTimeout(ending);
    if (line.length) (worker ??= hired()).postMessage({ work: line[0].work });
    else if (worker) ending = setTimeout(dismiss, IDLE);
  }

  function hired() {
    const begun = new Worker(new URL("second_python_worker.js", import.meta.url), { type: "module" });
    begun.postMessage({ settings });
    begun.onmessage = ({ data }) => (data.missing ? missing(data.missing) : said(data));
    begun.onerror = (event) => missing(event.message);
    return begun;
  }

  function said({ over, message, fault }) {
    const { heard } = line[0];
    if (over) {
      line.shift();
      next();
    }
    heard(message, fault);
  }

  function missing(why) {
    console.warn("there is no second Python:", why);
    dismiss();
    for (const { heard } of line.splice(0)) heard();
  }

  function dismiss() {
    clearTimeout(ending);
    worker?.terminate();
    worker = null;
  }

  return {
    // `heard` is called with each message, or with why it broke off, or with nothing if there is no second Python.
    begin(work, heard) {
      last += 1;
      line.push({ number: last, work, heard });
      if (line.length === 1) next();
      return last;
    },
    end(number) {
      const at = line.findIndex((one) => one.number === number);
      if (at < 0) return;
      line.splice(at, 1);
      if (at) return;
      dismiss();
      next();
    },
  };
}
