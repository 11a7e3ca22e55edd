/** Time that a step may take before others have their turn, in milliseconds. */
const SLICE = 8;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns a function to await between parts of long work: it yields when a slice of time is used up. */
export function timeSlices(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await nextTurn();
    since = performance.now();
  };
}
