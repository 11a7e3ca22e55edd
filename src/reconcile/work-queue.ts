import type { Logger } from '../observability/log.ts';
import { backOff } from '../time/back-off.ts';
import { type ClusterClock, type ProcessClock, processClock } from '../time/clock.ts';
import { type KeyPace, RunPace } from './run-pace.ts';

/** `requeue`: process the key again after a back-off, without reporting a failure. */
export type WorkResult = 'done' | 'requeue';

/** Observes a queue, for the metrics `workqueue_*`. */
export interface WorkQueueObserver {
  /** Number of keys that wait for a worker. */
  depth(keys: number): void;
  added(): void;
  retried(): void;
  /** A key waited for some seconds. */
  waited(seconds: number): void;
  /** A key was processed for some seconds. */
  worked(seconds: number): void;
  /** Called once with a function that returns for how many seconds each key has been in process. */
  running?(seconds: () => number[]): void;
  /** Called once with a function that returns {@link WorkQueue.isIdle}. @returns called when the queue stops */
  idle?(isIdle: () => boolean): () => void;
}

/** A retry that is due within this time counts as work at hand. */
const SOON_MILLISECONDS = 1000;

/** Longest wait of {@link WorkQueue.addAfter}, milliseconds: a jump of the machine's wall clock is noticed within it. */
const LONGEST_WAIT = 86_400_000;

export interface WorkQueueOptions {
  /** Reconciles a key. A key is never processed concurrently. */
  readonly work: (key: string) => Promise<WorkResult>;
  readonly clock: Pick<ProcessClock, 'now' | 'after'>;
  /** For {@link WorkQueue.addAfter}. */
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  /** Maximum concurrent keys. */
  readonly workers: number;
  /** How often one key is processed. Default: as often as it is added. */
  readonly pace?: KeyPace | undefined;
  readonly onError: (key: string, error: unknown) => void;
  readonly observer?: WorkQueueObserver | undefined;
}

/**
 * A work queue of keys. Duplicates are merged, so the number of objects bounds the queue; a key added during
 * its processing is processed again; a failed key is retried with exponential back-off.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** When each key was added, in wall-clock milliseconds. */
  readonly #waiting = new Map<string, number>();
  /** When the processing of each key began, in wall-clock milliseconds. */
  readonly #working = new Map<string, number>();
  /** Added during their processing. */
  readonly #repeated = new Map<string, number>();
  readonly #delayed = new Map<string, () => void>();
  /** Keys that are added later, when in milliseconds of the cluster, and what prevents it. */
  readonly #scheduledKeys = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  readonly #runs: RunPace | undefined;
  readonly #idle: (() => void)[] = [];
  #running = false;
  #stopped = false;
  #scheduled = false;
  readonly #unfollow: (() => void) | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#runs = options.pace && new RunPace(options.pace, options.clock);
    options.observer?.running?.(() => {
      const now = options.clock.now();
      return [...this.#working.values()].map((started) => Math.max(0, now - started) / 1000);
    });
    this.#unfollow = options.observer?.idle?.(() => this.isIdle);
  }

  /**
   * Whether no key waits, is in process, or is tried again within a second; keys that fail for longer do not count,
   * nor do those that are added at a later time of the cluster, nor those of a queue that does not run.
   */
  get isIdle(): boolean {
    if (!this.#running) return this.#working.size === 0;
    if (this.#waiting.size + this.#working.size > 0) return false;
    return [...this.#delayed.keys()].every(
      (key) => backOff(this.#failures.get(key) ?? 1) >= SOON_MILLISECONDS,
    );
  }

  add(key: string): void {
    const keys = this.#working.has(key) ? this.#repeated : this.#waiting;
    if (!keys.has(key)) {
      keys.set(key, this.#options.clock.now());
      this.#options.observer?.added();
      this.#reportDepth();
    }
    this.#schedule();
  }

  /**
   * Adds a key after some milliseconds of the cluster, at most a day; at once if there are none. Of several times
   * for one key the earliest counts.
   */
  addAfter(key: string, milliseconds: number): void {
    if (this.#stopped) return;
    if (milliseconds <= 0) {
      this.add(key);
      return;
    }
    const { clusterClock } = this.#options;
    const wait = Math.min(milliseconds, LONGEST_WAIT);
    const due = clusterClock.now() + wait;
    const known = this.#scheduledKeys.get(key);
    if (known !== undefined && known.due <= due) return;
    known?.cancel();
    const cancel = clusterClock.after(wait, () => {
      this.#scheduledKeys.delete(key);
      this.add(key);
    });
    this.#scheduledKeys.set(key, { due, cancel });
  }

  /**
   * Keeps a key whose processing is expensive from being processed as often as others: the next ones come later, and
   * do more at once. Without a pace it has no effect.
   * @param milliseconds of the process that count as used, besides the interval of the pace
   */
  charge(key: string, milliseconds: number): void {
    this.#runs?.charge(key, milliseconds);
  }

  /** Starts processing; keys may have been added before. */
  start(): void {
    this.#running = !this.#stopped;
    this.#schedule();
  }

  /** Stops processing; resolves when in-flight work is done. */
  stop(): Promise<void> {
    this.#running = false;
    this.#stopped = true;
    this.#waiting.clear();
    this.#repeated.clear();
    this.#reportDepth();
    for (const cancel of this.#delayed.values()) cancel();
    this.#delayed.clear();
    for (const { cancel } of this.#scheduledKeys.values()) cancel();
    this.#scheduledKeys.clear();
    this.#unfollow?.();
    return this.#working.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Yields to the event loop between keys. */
  #schedule(): void {
    if (
      !this.#running ||
      this.#scheduled ||
      this.#waiting.size === 0 ||
      this.#working.size >= this.#options.workers
    )
      return;
    this.#scheduled = true;
    processClock.soon(() => {
      this.#scheduled = false;
      this.#next();
    });
  }

  #next(): void {
    const [key] = this.#waiting.keys();
    if (!this.#running || key === undefined || this.#working.size >= this.#options.workers) return;
    const added = this.#waiting.get(key)!;
    this.#waiting.delete(key);
    this.#reportDepth();
    const pause = this.#runs?.begin(key) ?? 0;
    if (pause > 0) {
      this.#delay(key, pause);
      this.#schedule();
      return;
    }
    this.#options.observer?.waited(Math.max(0, this.#options.clock.now() - added) / 1000);
    void this.#work(key);
    this.#schedule();
  }

  async #work(key: string): Promise<void> {
    this.#delayed.get(key)?.();
    this.#delayed.delete(key);
    const started = this.#options.clock.now();
    this.#working.set(key, started);
    let result: WorkResult = 'requeue';
    try {
      result = await this.#options.work(key);
    } catch (error) {
      if (this.#running) this.#options.onError(key, error);
    }
    this.#working.delete(key);
    this.#options.observer?.worked(Math.max(0, this.#options.clock.now() - started) / 1000);
    if (result === 'done') this.#failures.delete(key);
    else if (this.#running) this.#retry(key);
    const repeated = this.#repeated.get(key);
    if (repeated !== undefined) {
      this.#repeated.delete(key);
      this.#waiting.set(key, repeated);
      this.#reportDepth();
    }
    if (this.#working.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    this.#schedule();
  }

  #reportDepth(): void {
    this.#options.observer?.depth(this.#waiting.size + this.#repeated.size);
  }

  #retry(key: string): void {
    this.#options.observer?.retried();
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.#delay(key, backOff(failures));
  }

  /** Adds a key after some milliseconds of the process. */
  #delay(key: string, milliseconds: number): void {
    this.#delayed.get(key)?.();
    const cancel = this.#options.clock.after(milliseconds, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, cancel);
  }
}

const WORKERS = 4;

/** Where the failures of a queue are logged and measured. */
export interface QueueContext {
  readonly clock: Pick<ProcessClock, 'now' | 'after'>;
  /** The times of objects, and waits that end by them. */
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  readonly logger: Logger;
  /** Observes the queue of the controller of that name. */
  observeQueue?(controller: string): WorkQueueObserver;
}

/** Bursts as they come with a rollout, then ten reconciles a second. */
const WORKLOAD_PACE: KeyPace = { burst: 200, interval: 100 };

/**
 * The {@link controllerQueue} of a controller whose objects others may change too: it does not keep up with one that
 * undoes its changes for ever.
 */
export const workloadQueue = (
  parts: QueueContext & { readonly name: string },
  work: (key: string) => Promise<WorkResult>,
  workers?: number,
): WorkQueue => controllerQueue(parts, parts.name, work, workers, WORKLOAD_PACE);

/**
 * Creates a work queue that logs failures with the controller's name.
 * @param workers maximum concurrent keys
 */
export function controllerQueue(
  { clock, clusterClock, logger, observeQueue }: QueueContext,
  controller: string,
  work: (key: string) => Promise<WorkResult>,
  workers: number = WORKERS,
  pace?: KeyPace,
): WorkQueue {
  return new WorkQueue({
    work,
    clock,
    clusterClock,
    workers,
    pace,
    observer: observeQueue?.(controller),
    onError: (key, error) =>
      logger.detail(2, 'reconcile failed; retrying', { controller, key, err: (error as Error).message }),
  });
}
