/** Wall time and timers, injected so that tests decide when leases expire and progress is sent. */
export interface StorageClock {
  /** Milliseconds since the Unix epoch. Lease deadlines are persisted in this unit. */
  now(): number;
  /** Runs `callback` once after `delay` milliseconds; the returned function cancels it. */
  schedule(delay: number, callback: () => void): () => void;
}

/** The process's clock. Its timers never keep the process alive. */
export const systemClock: StorageClock = {
  now: Date.now,
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
