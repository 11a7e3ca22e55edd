/**
 * A member that belongs to one kind of clock, also when it is picked from it: a function of the other kind is not
 * assignable. The mark exists in the types alone, and functions without a kind are assignable to both.
 */
type Of<Kind extends 'process' | 'cluster', Member> = Member & { readonly clockKind?: Kind };

type Now = () => number;
type Timer = (milliseconds: number, callback: () => void) => () => void;

/**
 * Time as one process sees it: deadlines, retries after errors, waits in queues, timeouts of watches, TLS, audit,
 * logs and metrics. Components take the members that they use (`Pick<ProcessClock, 'now' | 'after'>`), so that
 * tests decide when timers fire.
 */
export interface ProcessClock {
  /** Wall time in milliseconds since the Unix epoch. */
  readonly now: Of<'process', Now>;
  /** Milliseconds that never jump, since an arbitrary start. Deadlines inside the process use it. */
  readonly monotonic: Of<'process', Now>;
  /** Calls `callback` once after some milliseconds, at most 2^31 - 1; the returned function cancels it. */
  readonly after: Of<'process', Timer>;
  /** Calls `callback` every `milliseconds` until the returned function is called. */
  readonly every: Of<'process', Timer>;
  /** Calls `callback` in a later iteration of the event loop. */
  readonly soon: Of<'process', (callback: () => void) => void>;
}

/**
 * Time as the objects of one cluster see it: their timestamps, times to live, schedules, and the tokens of the
 * cluster. It may be frozen, set and advanced, and it is not convertible to the time of the process: a wait that
 * must end when the cluster's time stands still needs a {@link ProcessClock}.
 */
export interface ClusterClock {
  /** The cluster's time in milliseconds since the Unix epoch. It may go back. */
  readonly now: Of<'cluster', Now>;
  /** Calls `callback` once after some milliseconds of the cluster; the returned function cancels it. */
  readonly after: Of<'cluster', Timer>;
  /** Calls `callback` every `milliseconds` of the cluster until the returned function is called. */
  readonly every: Of<'cluster', Timer>;
  /**
   * Calls `listener` whenever the time has been set or advanced, so that caches whose entries end by the cluster's
   * time are emptied; the returned function ends that.
   */
  readonly onJump: Of<'cluster', (listener: () => void) => () => void>;
}

/** The clock of the process. Its timers do not keep the process alive. */
export const processClock: ProcessClock = {
  now: () => Date.now(),
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

/** The clock of a process that must not end while its timers run. */
export const holdingClock: ProcessClock = {
  ...processClock,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, milliseconds);
    return () => clearInterval(timer);
  },
};
