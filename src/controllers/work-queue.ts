import { backOff, type Clock } from './clock.ts';

/** `requeue`: what the key waits for may still come; look at it later, without calling that a failure. */
export type WorkResult = 'done' | 'requeue';

/** Counts what passes a queue; the metrics `workqueue_*`. */
export interface WorkQueueObserver {
  /** Keys that wait for a worker. */
  depth(keys: number): void;
  added(): void;
  retried(): void;
}

export interface WorkQueueOptions {
  /** Brings what a key names to its desired state. A key is never worked on twice at the same time. */
  readonly work: (key: string) => Promise<WorkResult>;
  readonly clock: Clock;
  /** Keys worked on at once. */
  readonly workers: number;
  readonly onError: (key: string, error: unknown) => void;
  readonly observer?: WorkQueueObserver | undefined;
}

/**
 * Keys that have to be looked at. A key waits once however often it is added, so the queue is bounded by the
 * number of names that there are; one added while it is worked on is worked on again afterwards; one that
 * fails comes back after a delay that doubles.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  /** Added while they were worked on. */
  readonly #repeated = new Set<string>();
  readonly #delayed = new Map<string, () => void>();
  readonly #failures = new Map<string, number>();
  readonly #idle: (() => void)[] = [];
  #running = false;
  #stopped = false;
  #scheduled = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    const keys = this.#working.has(key) ? this.#repeated : this.#waiting;
    if (!keys.has(key)) {
      keys.add(key);
      this.#options.observer?.added();
      this.#reportDepth();
    }
    this.#schedule();
  }

  /** Begins to work; keys may have been added before. */
  start(): void {
    this.#running = !this.#stopped;
    this.#schedule();
  }

  /** Begins nothing any more; resolves when the work in hand is done. */
  stop(): Promise<void> {
    this.#running = false;
    this.#stopped = true;
    this.#waiting.clear();
    this.#repeated.clear();
    this.#reportDepth();
    for (const cancel of this.#delayed.values()) cancel();
    this.#delayed.clear();
    return this.#working.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Clients' requests go on between keys: however many wait, they don't hold the event loop. */
  #schedule(): void {
    if (
      !this.#running ||
      this.#scheduled ||
      this.#waiting.size === 0 ||
      this.#working.size >= this.#options.workers
    )
      return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#next();
    });
  }

  #next(): void {
    const [key] = this.#waiting;
    if (!this.#running || key === undefined || this.#working.size >= this.#options.workers) return;
    this.#waiting.delete(key);
    this.#reportDepth();
    void this.#work(key);
    this.#schedule();
  }

  async #work(key: string): Promise<void> {
    this.#delayed.get(key)?.();
    this.#delayed.delete(key);
    this.#working.add(key);
    let result: WorkResult = 'requeue';
    try {
      result = await this.#options.work(key);
    } catch (error) {
      if (this.#running) this.#options.onError(key, error);
    }
    this.#working.delete(key);
    if (result === 'done') this.#failures.delete(key);
    else if (this.#running) this.#retry(key);
    if (this.#repeated.delete(key)) {
      this.#waiting.add(key);
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
    const cancel = this.#options.clock.after(backOff(failures), () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, cancel);
  }
}
