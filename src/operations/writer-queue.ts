import { errors } from '../status/index.ts';

/** Time as the queue sees it. */
export interface QueueClock {
  /** Monotonic milliseconds, the clock of {@link Waiting.deadline}. */
  now(): number;
  /** Calls back once after some milliseconds; returns what cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back in a later turn of the event loop. */
  soon(callback: () => void): void;
}

export const SYSTEM_CLOCK: QueueClock = {
  now: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  soon: (callback) => void setImmediate(callback),
};

export interface WriterQueueOptions {
  readonly clock?: QueueClock;
  /** Most writers that wait for one key. */
  readonly perKey?: number;
  /** Most writers that wait in all. */
  readonly total?: number;
}

/** Who waits, and for how long. */
export interface Waiting {
  /** Monotonic milliseconds; Infinity for none. */
  readonly deadline: number;
  /** True once nobody wants the answer any more. */
  gone(): boolean;
  /** Calls back when nobody wants the answer any more. */
  onGone(callback: () => void): void;
}

/** The right to write one key next. */
export interface Turn<Stored> {
  /** What the last writer stored that had a turn; undefined when none of them stored anything. */
  readonly latest: Stored | undefined;
  /** False once the turn has ended. */
  readonly held: boolean;
  /**
   * Somebody without a turn was faster: until this turn ends, {@link WriterQueue.isReserved} asks new writers
   * to queue as well.
   */
  reserve(): void;
  /** Ends the turn; a second call does nothing. @param stored what was stored, for the next writer */
  end(stored?: Stored): void;
}

const PER_KEY = 1024;
const TOTAL = 16_384;
/** Turns that follow each other within one turn of the event loop. */
const TURNS_AT_ONCE = 16;
const RETRY_SECONDS = 1;

interface Lane<Stored> {
  readonly waiters: Set<(turn: Turn<Stored>) => void>;
  latest: Stored | undefined;
  reserved: boolean;
  passed: number;
}

/**
 * Writers of one key take turns, first come, first served. A turn may be held for a compare-and-swap and what
 * it is computed from, but never while something outside the process is waited for. A key that nobody writes
 * costs nothing.
 */
export class WriterQueue<Stored> {
  readonly #lanes = new Map<string, Lane<Stored>>();
  readonly #clock: QueueClock;
  readonly #perKey: number;
  readonly #total: number;
  #waiting = 0;

  constructor({ clock = SYSTEM_CLOCK, perKey = PER_KEY, total = TOTAL }: WriterQueueOptions = {}) {
    this.#clock = clock;
    this.#perKey = perKey;
    this.#total = total;
  }

  /** Writers that wait now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Keys that somebody has a turn for. */
  get keys(): number {
    return this.#lanes.size;
  }

  /**
   * The writer whose turn it is has lost to one without a turn: further ones must queue before their first
   * attempt.
   */
  isReserved(key: string): boolean {
    return this.#lanes.get(key)?.reserved === true;
  }

  /** @throws ApiError 504 past the deadline, or when nobody wants the answer any more */
  check(waiting: Waiting): void {
    if (this.#clock.now() >= waiting.deadline || waiting.gone()) throw timedOut();
  }

  /**
   * Waits for the turn to write a key. The caller must end it.
   * @throws ApiError 429 when too many wait, 504 past the deadline or when nobody wants the answer any more
   */
  async take(key: string, waiting: Waiting): Promise<Turn<Stored>> {
    this.check(waiting);
    const lane = this.#lanes.get(key);
    if (lane === undefined) {
      const created: Lane<Stored> = { waiters: new Set(), latest: undefined, reserved: false, passed: 0 };
      this.#lanes.set(key, created);
      return this.#turn(key, created);
    }
    if (lane.waiters.size >= this.#perKey || this.#waiting >= this.#total)
      throw errors.tooManyRequests(
        'too many requests wait to write this object, please try again later',
        RETRY_SECONDS,
      );
    return this.#enqueue(lane, waiting);
  }

  /** Waits without a turn. @throws ApiError 504 */
  async pause(milliseconds: number, waiting: Waiting): Promise<void> {
    this.check(waiting);
    const time = Math.min(milliseconds, waiting.deadline - this.#clock.now());
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(time, resolve);
      waiting.onGone(() => {
        cancel();
        resolve();
      });
    });
    this.check(waiting);
  }

  #enqueue(lane: Lane<Stored>, waiting: Waiting): Promise<Turn<Stored>> {
    return new Promise((resolve, reject) => {
      let cancelTimer: () => void = () => undefined;
      const leave = (): boolean => {
        if (!lane.waiters.delete(enter)) return false;
        this.#waiting -= 1;
        cancelTimer();
        return true;
      };
      const enter = (turn: Turn<Stored>) => {
        leave();
        resolve(turn);
      };
      const giveUp = () => {
        if (leave()) reject(timedOut());
      };
      lane.waiters.add(enter);
      this.#waiting += 1;
      if (waiting.deadline !== Number.POSITIVE_INFINITY)
        cancelTimer = this.#clock.after(waiting.deadline - this.#clock.now(), giveUp);
      waiting.onGone(giveUp);
    });
  }

  #turn(key: string, lane: Lane<Stored>): Turn<Stored> {
    let held = true;
    return {
      latest: lane.latest,
      get held() {
        return held;
      },
      reserve: () => {
        if (held) lane.reserved = true;
      },
      end: (stored) => {
        if (!held) return;
        held = false;
        lane.reserved = false;
        if (stored !== undefined) lane.latest = stored;
        lane.passed += 1;
        if (lane.waiters.size > 0 && lane.passed % TURNS_AT_ONCE === 0)
          this.#clock.soon(() => this.#pass(key, lane));
        else this.#pass(key, lane);
      },
    };
  }

  /** Gives the turn to whoever has waited longest. */
  #pass(key: string, lane: Lane<Stored>): void {
    const [next] = lane.waiters;
    if (next === undefined) this.#lanes.delete(key);
    else next(this.#turn(key, lane));
  }
}

const timedOut = () => errors.requestTimeout('request did not complete within the allotted timeout');
