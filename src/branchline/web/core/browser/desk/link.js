// A count as a link: its record, packed, behind the `#` of the address. No server sees it.

const LONGEST = 20_000; // letters of a link
const LARGEST = 60_000; // bytes of a record

export async function linkTo(record) {
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  if (!("CompressionStream" in globalThis)) return `#j=${written(bytes)}`;
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#z=${written(new Uint8Array(await new Response(packed).arrayBuffer()))}`;
}

// The record in a link; null where there is none that can be read.
export async function recordIn(fragment) {
  const match = fragment.length <= LONGEST && /^#([jz])=([\w-]+)$/.exec(fragment);
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob(match[2].replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(match[1] === "j" ? bytes : await unpacked(bytes)));
  } catch {
    return null;
  }
}

const written = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

// Little can be packed into much: no more is unpacked than a record can be.
async function unpacked(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
