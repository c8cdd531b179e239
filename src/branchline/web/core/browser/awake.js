// The screen stays on while somebody plays, deals, counts or notes: a phone on the table is looked at more than touched.

// `wanted()` is asked whenever the page is pressed or comes into view: browsers end the lock when it goes out of view.
export function stayAwake(wanted = () => true) {
  if (!navigator.wakeLock) return;
  let lock = null;
  const keepOn = async () => {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    if (!wanted()) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null; // the battery is low, or it is not allowed: then the screen goes dark as it always does
    }
  };
  document.addEventListener("visibilitychange", keepOn);
  document.addEventListener("pointerup", keepOn);
  keepOn();
}
