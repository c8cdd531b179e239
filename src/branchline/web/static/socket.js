// One WebSocket for one table: says hello, says it again after every break, and remembers the last version seen.

const LONGEST_WAIT = 10_000;
const BEAT = 25_000; // quiet lines are cut by proxies
const RESTART = 1012; // the process we talked to stops
const TOO_MANY = 4429; // too many at once from where we are: it is of no use to come again at once
const NO_USE = [4403, 4404]; // not allowed, no such room: trying again helps nobody

export function connect(room, version, { receive, state }) {
  const url = new URL(`/ws/${room}`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const line = { version, send, open: false };
  let socket;
  let wait = 500;
  let broken = false;
  let heard = false; // something, since the last beat
  const waiting = []; // said while the line was not yet, or no longer, open

  function dial() {
    socket = new WebSocket(url);
    socket.onopen = () => {
      say({ do: "hello", version: line.version });
      say({ do: "ping" }); // the answer shows that we are let in: some are hung up on at once
    };
    socket.onmessage = (event) => {
      heard = true;
      if (!line.open) opened();
      const message = JSON.parse(event.data);
      if (typeof message.version === "number") line.version = message.version;
      receive(message);
    };
    socket.onclose = (event) => closed(event.code);
  }

  function opened() {
    wait = 500;
    line.open = true;
    for (const message of waiting.splice(0)) say(message);
    state(broken ? "found" : "open");
    broken = false;
  }

  function closed(code) {
    line.open = false;
    if (code === RESTART && !broken) {
      setTimeout(dial, 300 * Math.random()); // another process has taken over already: nobody need hear of it
      return;
    }
    if (NO_USE.includes(code)) return state("ended");
    if (!broken) state("lost");
    broken = true;
    if (code === TOO_MANY) wait = LONGEST_WAIT;
    setTimeout(dial, wait * (0.7 + 0.6 * Math.random()));
    wait = Math.min(wait * 1.8, LONGEST_WAIT);
  }

  function say(message) {
    socket.send(JSON.stringify(message));
  }

  function send(message) {
    if (line.open && socket.readyState === WebSocket.OPEN) say(message);
    else if (message.do !== "ping" && waiting.length < 4) waiting.push(message);
  }

  // A line can be dead without a word, as when a phone has changed networks: then the last beat was not answered.
  function beat() {
    if (line.open && !heard) {
      socket.onclose = socket.onmessage = null; // closing takes as long as the other side is silent
      socket.close();
      closed();
    }
    heard = false;
    send({ do: "ping" });
  }

  setInterval(beat, BEAT);
  // A phone that wakes up need not wait for the next try.
  addEventListener("online", () => socket?.readyState === WebSocket.CLOSED && dial());
  dial();
  return line;
}
