// One WebSocket for one table: says hello, says it again after every break, and remembers the last version seen.

const LONGEST_WAIT = 10_000;
const BEAT = 25_000; // quiet lines are cut by proxies
const RESTART = 1012; // the process we talked to stops
const NO_USE = [4403, 4404]; // not allowed, no such room: trying again helps nobody

export function connect(room, version, { receive, state }) {
  const url = new URL(`/ws/${room}`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const line = { version, send, open: false };
  let socket;
  let wait = 500;
  let broken = false;
  const waiting = []; // said while the line was not yet, or no longer, open

  function dial() {
    socket = new WebSocket(url);
    socket.onopen = () => {
      wait = 500;
      line.open = true;
      send({ do: "hello", version: line.version });
      for (const message of waiting.splice(0)) send(message);
      state(broken ? "found" : "open");
      broken = false;
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (typeof message.version === "number") line.version = message.version;
      receive(message);
    };
    socket.onclose = (event) => {
      line.open = false;
      if (event.code === RESTART && !broken) {
        setTimeout(dial, 300 * Math.random()); // another process has taken over already: nobody need hear of it
        return;
      }
      if (NO_USE.includes(event.code)) return state("ended");
      if (!broken) state("lost");
      broken = true;
      setTimeout(dial, wait * (0.7 + 0.6 * Math.random()));
      wait = Math.min(wait * 1.8, LONGEST_WAIT);
    };
  }

  function send(message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    else if (message.do !== "ping" && waiting.length < 4) waiting.push(message);
  }

  setInterval(() => send({ do: "ping" }), BEAT);
  // A phone that wakes up need not wait for the next try.
  addEventListener("online", () => socket?.readyState === WebSocket.CLOSED && dial());
  dial();
  return line;
}
