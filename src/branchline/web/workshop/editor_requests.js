// What the editor asks of the server about a draft.

// The server knows what is meant only when it has all steps. False, with a reason in the box: it is away.
export async function settled(editor, box) {
  try {
    await editor.settled();
    return true;
  } catch {
    box.textContent = editor.say("away");
    return false;
  }
}

export function post({ start }, action, fields) {
  const body = new FormData();
  body.set("csrf", start.csrf);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return fetch(`${start.path}/${action}`, { method: "POST", body });
}
