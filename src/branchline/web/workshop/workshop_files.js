// Files that somebody chooses, as a field of a form: name → what is in it, in base64.

const MOST = 2_000_000; // bytes; the server takes 3 MB of a form

export async function readFiles(files) {
  const contents = {};
  let size = 0;
  for (const file of files) {
    size += file.size;
    if (size > MOST) throw new RangeError("too large");
    contents[file.name] = await base64(file);
  }
  return { files: JSON.stringify(contents) };
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
