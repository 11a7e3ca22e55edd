import { errors } from '../status/index.ts';
import { type ProcessClock, processClock } from '../time/clock.ts';

export interface WriterQueueOptions {
  readonly clock?: Pick<ProcessClock, 'monotonic' | 'after' | 'soon'>;
  /** Maximum number of writers that wait for one key. */
  readonly perKey?: number;
  /** Maximum number of writers that wait in total. */
  readonly total?: number;
}

/** A waiting client and its deadline. */
export interface Waiting {
  /** Monotonic milliseconds; Infinity for none. */
  readonly deadline: number;
  /** True once the client has disconnected. */
  gone(): boolean;
  /** Calls back when the client disconnects. */
  onGone(callback: () => void): void;
}

/** The right to make the next write of one key. */
export interface Turn<Stored> {
  /** What the previous writer in the queue stored; undefined if none of them stored anything. */
  readonly latest: Stored | undefined;
  /** False once the turn has ended. */
  readonly held: boolean;
  /**
   * Marks the key as reserved after a conflict with a writer outside the queue: until this turn ends, {@link
   * WriterQueue.isReserved} makes new writers queue as well.
   */
  reserve(): void;
  /** Ends the turn; idempotent. @param stored what was stored, for the next writer */
  end(stored?: Stored): void;
}

const PER_KEY = 1024;
const TOTAL = 16_384;
/** Maximum number of turns within one iteration of the event loop. */
const TURNS_AT_ONCE = 16;
const RETRY_SECONDS = 1;

interface KeyQueue<Stored> {
  readonly waiters: Set<(turn: Turn<Stored>) => void>;
  latest: Stored | undefined;
  reserved: boolean;
  passed: number;
}

/**
 * Serializes the writers of one key in FIFO order. A turn may be held during a compare-and-swap and its
 * computation, but never while waiting for anything outside the process. A key without writers uses no
 * memory.
 */
export class WriterQueue<Stored> {
  readonly #queues = new Map<string, KeyQueue<Stored>>();
  readonly #clock: Pick<ProcessClock, 'monotonic' | 'after' | 'soon'>;
  readonly #perKey: number;
  readonly #total: number;
  #waiting = 0;

  constructor({ clock = processClock, perKey = PER_KEY, total = TOTAL }: WriterQueueOptions = {}) {
    this.#clock = clock;
    this.#perKey = perKey;
    this.#total = total;
  }

  /** The number of waiting writers. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The number of keys with a turn in progress. */
  get keys(): number {
    return this.#queues.size;
  }

  /**
   * Whether the writer with the turn has lost to one outside the queue, so that others must queue before
   * their first attempt.
   */
  isReserved(key: string): boolean {
    return this.#queues.get(key)?.reserved === true;
  }

  /** Checks that the client still waits. @throws ApiError 504 past the deadline or after a disconnect */
  check(waiting: Waiting): void {
    if (this.#clock.monotonic() >= waiting.deadline || waiting.gone()) throw timedOut();
  }

  /**
   * Waits for a turn to write a key. The caller must end it.
   * @throws ApiError 429 if too many wait, 504 past the deadline or after a disconnect
   */
  async take(key: string, waiting: Waiting): Promise<Turn<Stored>> {
    this.check(waiting);
    const queue = this.#queues.get(key);
    if (queue === undefined) {
      const created: KeyQueue<Stored> = { waiters: new Set(), latest: undefined, reserved: false, passed: 0 };
      this.#queues.set(key, created);
      return this.#turn(key, created);
    }
    if (queue.waiters.size >= this.#perKey || this.#waiting >= this.#total)
      throw errors.tooManyRequests(
        'too many requests wait to write this object, please try again later',
        RETRY_SECONDS,
      );
    return this.#enqueue(queue, waiting);
  }

  /** Waits without a turn. @throws ApiError 504 */
  async pause(milliseconds: number, waiting: Waiting): Promise<void> {
    this.check(waiting);
    const time = Math.min(milliseconds, waiting.deadline - this.#clock.monotonic());
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(time, resolve);
      waiting.onGone(() => {
        cancel();
        resolve();
      });
    });
    this.check(waiting);
  }

  #enqueue(queue: KeyQueue<Stored>, waiting: Waiting): Promise<Turn<Stored>> {
    return new Promise((resolve, reject) => {
      let cancelTimer: () => void = () => undefined;
      const leave = (): boolean => {
        if (!queue.waiters.delete(enter)) return false;
        this.#waiting -= 1;
        cancelTimer();
        return true;
      };
      const enter = (turn: Turn<Stored>) => {
        leave();
        resolve(turn);
      };
      const expire = () => {
        if (leave()) reject(timedOut());
      };
      queue.waiters.add(enter);
      this.#waiting += 1;
      if (waiting.deadline !== Number.POSITIVE_INFINITY)
        cancelTimer = this.#clock.after(waiting.deadline - this.#clock.monotonic(), expire);
      waiting.onGone(expire);
    });
  }

  #turn(key: string, queue: KeyQueue<Stored>): Turn<Stored> {
    const turn = {
      latest: queue.latest,
      held: true,
      reserve: () => {
        if (turn.held) queue.reserved = true;
      },
      end: (stored?: Stored) => {
        if (!turn.held) return;
        turn.held = false;
        queue.reserved = false;
        if (stored !== undefined) queue.latest = stored;
        queue.passed += 1;
        if (queue.waiters.size > 0 && queue.passed % TURNS_AT_ONCE === 0)
          this.#clock.soon(() => this.#pass(key, queue));
        else this.#pass(key, queue);
      },
    };
    return turn;
  }

  /** Gives the turn to the writer that has waited longest. */
  #pass(key: string, queue: KeyQueue<Stored>): void {
    const [next] = queue.waiters;
    if (next === undefined) this.#queues.delete(key);
    else next(this.#turn(key, queue));
  }
}

const timedOut = () => errors.requestTimeout('request did not complete within the allotted timeout');
