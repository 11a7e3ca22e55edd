/** What is done at process exit, all by one listener. */
const acts = new Set<() => void>();
let listening = false;

/**
 * Calls `act` at process exit, unless the returned function is called before. For files that must not stay: a process
 * that is killed leaves them all the same.
 * @param act synchronous; must not throw
 */
export function atExit(act: () => void): () => void {
  // An act of its own for each call.
  const own = (): void => act();
  acts.add(own);
  if (!listening)
    process.on('exit', () => {
      for (const each of acts) each();
    });
  listening = true;
  return () => void acts.delete(own);
}
