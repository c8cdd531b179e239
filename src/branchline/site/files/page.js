// In every page of the site, before all other scripts: WebSockets and cookies go to Python in its worker, and the frame
// around this page hears where it is.

{
  const base = document.currentScript.dataset.base;
  const channel = new BroadcastChannel(`branchline ${base}`);
  const open = new Map(); // WebSockets by their numbers

  class Socket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;
    readyState = 0;
    onopen = null;
    onmessage = null;
    onclose = null;
    onerror = null;
    #number = crypto.randomUUID();

    constructor(address) {
      super();
      const url = new URL(address, location.href);
      this.url = url.href;
      open.set(this.#number, this);
      this.dial = () => channel.postMessage({ dial: this.#number, url: url.pathname + url.search });
      this.dial();
    }

    send(text) {
      if (this.readyState !== 1) throw new DOMException("the line is not open", "InvalidStateError");
      channel.postMessage({ hear: this.#number, text });
    }

    close() {
      if (this.readyState === 3) return;
      channel.postMessage({ hangUp: this.#number });
      this.said("close", 1000);
    }

    said(what, value) {
      if (this.readyState === 3) return;
      this.readyState = what === "close" ? 3 : 1;
      if (what === "close") open.delete(this.#number);
      const event = Object.assign(new Event(what), what === "message" ? { data: value } : { code: value });
      this[`on${what}`]?.(event);
      this.dispatchEvent(event);
    }
  }

  channel.onmessage = ({ data }) => {
    if (data.said) open.get(data.said)?.said(data.what, data.value);
    if (data.state === "ready") for (const socket of [...open.values()]) socket.readyState ? socket.said("close", 1012) : socket.dial();
  };
  addEventListener("pagehide", () => {
    for (const socket of [...open.values()]) socket.close();
  });
  window.WebSocket = Socket;

  const real = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  Object.defineProperty(document, "cookie", {
    get: () => real.get.call(document),
    set(text) {
      real.set.call(document, text);
      channel.postMessage({ cookie: text });
    },
  });

  const tell = () =>
    parent !== window &&
    parent.postMessage({ at: location.pathname + location.search + location.hash, title: document.title }, location.origin);
  addEventListener("DOMContentLoaded", tell);
  addEventListener("pageshow", tell);
  addEventListener("hashchange", tell);
}
