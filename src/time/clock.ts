/**
 * Time as one process sees it. Components take the members that they use (`Pick<Clock, 'now' | 'after'>`), so
 * that tests decide when timers fire.
 */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. Deadlines that are stored or shown use it. */
  now(): number;
  /** Milliseconds that never jump, since an arbitrary start. Deadlines inside the process use it. */
  monotonic(): number;
  /** Calls `callback` once after some milliseconds; the returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls `callback` every `milliseconds` until the returned function is called. */
  every(milliseconds: number, callback: () => void): () => void;
  /** Calls `callback` in a later iteration of the event loop. */
  soon(callback: () => void): void;
}

/** The clock of the process. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
  soon: (callback) => void setImmediate(callback),
};
