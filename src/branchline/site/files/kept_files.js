// Files of Python that last: what is written into them is in the browser's own file system before the write is over,
// so that a page that is closed or a browser that crashes loses nothing.

const [IO, NO_SPACE] = [29, 51]; // as Emscripten numbers what is wrong
const NO_SPACE_HERE = -8; // as Chromium does, in what a write returns
const ROOM = 1 << 18; // bytes by which a file must be able to grow

// Returns a function that says whether there is room for more; nothing if this browser keeps nothing (a private window,
// an old browser), so that the files are in memory only.
export async function keptFiles(FS, folder, names, place, complain) {
  FS.mkdirTree(folder);
  let handles;
  try {
    handles = await Promise.all(names.map((name) => opened(place, name)));
  } catch (error) {
    console.warn(error);
    return null;
  }
  if (!handles[0].getSize() && !canGrow(handles[0])) return null; // too full to begin
  names.forEach((name, n) => keep(FS, `${folder}/${name}`, handles[n], complain));
  return () => canGrow(handles[0]);
}

async function opened(place, name) {
  let folder = await navigator.storage.getDirectory();
  for (const part of ["branchline", encodeURIComponent(place)]) folder = await folder.getDirectoryHandle(part, { create: true });
  const file = await folder.getFileHandle(name, { create: true });
  return file.createSyncAccessHandle();
}

function canGrow(handle) {
  const size = handle.getSize();
  handle.truncate(size + ROOM); // without room Chromium does nothing, without a word
  const grown = handle.getSize() > size;
  handle.truncate(size);
  return grown;
}

function keep(FS, path, handle, complain) {
  FS.writeFile(path, "");
  const { node } = FS.lookupPath(path);
  const { getattr, setattr } = node.node_ops;
  const refuse = (full) => {
    complain(full ? "full" : "unwritten");
    throw new FS.ErrnoError(full ? NO_SPACE : IO);
  };
  const careful = (write, expected) => {
    let written;
    try {
      written = write();
    } catch (error) {
      refuse(error.name === "QuotaExceededError");
    }
    if (written === expected) return written;
    const fault = written | 0; // Chromium returns the number of a fault as one without a sign
    return refuse(fault >= 0 || fault === NO_SPACE_HERE);
  };
  node.node_ops = {
    ...node.node_ops,
    getattr: (one) => ({ ...getattr(one), size: handle.getSize() }),
    setattr(one, { size, ...others }) {
      if (size !== undefined) careful(() => handle.truncate(size));
      setattr(one, others);
    },
  };
  node.stream_ops = {
    ...node.stream_ops,
    read: (_stream, buffer, offset, length, position) => handle.read(buffer.subarray(offset, offset + length), { at: position }),
    write: (_stream, buffer, offset, length, position) =>
      careful(() => handle.write(buffer.subarray(offset, offset + length), { at: position }), length),
    llseek(stream, offset, whence) {
      return offset + (whence === 1 ? stream.position : whence === 2 ? handle.getSize() : 0);
    },
    fsync() {
      careful(() => handle.flush());
      return 0;
    },
    mmap: undefined,
  };
}

// What has come compressed.
export async function unpacked(response) {
  const plain = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

// Write the files of an archive (`packing.py`) below a folder.
export function place(FS, folder, archive) {
  const begin = 4 + new DataView(archive.buffer).getUint32(0, true);
  let at = begin;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(archive.subarray(4, begin)))) {
    const path = `${folder}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, archive.subarray(at, at + size), { canOwn: true });
    FS.utime(path, 0, 0);
    at += size;
  }
}
