// Files of Python that last: what is written into them is in the browser's own file system before the write is over,
// so that a page that is closed or a browser that crashes loses nothing.

const NO_SPACE = 51; // as Emscripten numbers what is wrong

// False: this browser keeps nothing (a private window, an old browser), so the files are in memory only.
export async function keptFiles(FS, folder, names, place, complain) {
  FS.mkdirTree(folder);
  let handles;
  try {
    handles = await Promise.all(names.map((name) => opened(place, name)));
  } catch (error) {
    console.warn(error);
    return false;
  }
  names.forEach((name, n) => keep(FS, `${folder}/${name}`, handles[n], complain));
  return true;
}

async function opened(place, name) {
  let folder = await navigator.storage.getDirectory();
  for (const part of ["branchline", encodeURIComponent(place)]) folder = await folder.getDirectoryHandle(part, { create: true });
  const file = await folder.getFileHandle(name, { create: true });
  return file.createSyncAccessHandle();
}

function keep(FS, path, handle, complain) {
  FS.writeFile(path, "");
  const { node } = FS.lookupPath(path);
  const { getattr, setattr } = node.node_ops;
  const careful = (write, expected) => {
    try {
      const written = write();
      if (expected !== undefined && written < expected) throw new DOMException("only a part was written", "QuotaExceededError");
      return written;
    } catch (error) {
      complain(error.name === "QuotaExceededError" ? "full" : "unwritten");
      throw new FS.ErrnoError(NO_SPACE);
    }
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
