// On a cold start: how much of the rules is compiled, until all of it is.

const line = document.getElementById("compiling");
const bar = line.querySelector("progress");

async function look() {
  try {
    const { compiling } = await (await fetch("/readyz")).json();
    if (compiling === null) return line.remove();
    bar.value = compiling;
  } catch {
    // one process is handing over to the next
  }
  setTimeout(look, 1500);
}

setTimeout(look, 1500);
