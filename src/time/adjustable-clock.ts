import type { ClusterClock, ProcessClock } from './clock.ts';
import { type HeapTimer, TimerHeap } from './timer-heap.ts';

/** The longest timer of a process, in milliseconds: timers count in 32 bits. */
const LONGEST_SLEEP = 2 ** 31 - 1;

/** Timers between two turns of the event loop. */
const TIMERS_OF_A_TURN = 100;

/** The last millisecond that RFC 3339 can write: the end of the year 9999. */
const LAST_TIME = 253_402_300_799_999;

/**
 * A moment: the time that is shown, and the position on the scale on which timers are due. The position advances
 * with the monotonic time of the process and moves with each adjustment, but not with the wall clock of the machine.
 */
interface Moment {
  readonly time: number;
  readonly position: number;
}

/**
 * The clock of a cluster. It runs with the clock of the process, at a distance from it that is 0 until the clock is
 * adjusted. It may be frozen, and set or advanced whether it runs or not.
 *
 * Timers fire in the order in which they are due, those that are due together in the order in which they were
 * created. A timer is due at a time, not after a wait: it fires later when the clock is set back. A timer of 0 or
 * less fires in a later turn of the event loop, also while the clock is frozen. Timers do not keep the process alive.
 */
export class AdjustableClock implements ClusterClock {
  readonly now: ClusterClock['now'] = () => this.#held?.time ?? this.#process.now() + this.#offset;

  readonly after: ClusterClock['after'] = (milliseconds, callback) =>
    milliseconds > 0
      ? this.#schedule(this.#position() + milliseconds, callback)
      : this.#process.after(0, callback);

  readonly every: ClusterClock['every'] = (milliseconds, callback) => {
    const period = Math.max(1, milliseconds);
    let due = this.#position() + period;
    const run = (): void => {
      const position = this.#position();
      due = due + period > position ? due + period : position + period;
      cancel = this.#schedule(due, run);
      callback();
    };
    let cancel = this.#schedule(due, run);
    return () => cancel();
  };

  readonly onJump: ClusterClock['onJump'] = (listener) => {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  readonly #process: ProcessClock;
  readonly #timers = new TimerHeap();
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  /** From the wall time of the process to the cluster's, while the clock runs. */
  #offset = 0;
  /** From the monotonic time of the process to the position, while the clock runs. */
  #shift = 0;
  /** The present, while the clock is frozen or on its way to another moment. */
  #held: Moment | undefined;
  #frozen = false;
  /** The moment that the clock is on its way to, and the promise of its arrival. */
  #goal: Moment | undefined;
  #arrival: Promise<void> = Promise.resolve();
  #settle: () => Promise<void> = () => this.#turn();
  #cancelSleep = (): void => undefined;
  /** The position at which the process wakes the clock. */
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(process: ProcessClock) {
    this.#process = process;
  }

  /** Whether the time stands still until {@link run}. */
  get isFrozen(): boolean {
    return this.#frozen;
  }

  /** When the next timer is due, in milliseconds from the present; undefined without timers. */
  get untilNextTimer(): number | undefined {
    const { first } = this.#timers;
    return first === undefined ? undefined : Math.max(0, first.due - this.#position());
  }

  /** A clock that shows the same time and is frozen if this one is; the two go on for themselves. */
  copy(): AdjustableClock {
    const copy = new AdjustableClock(this.#process);
    copy.#offset = this.now() - this.#process.now();
    if (this.#frozen) copy.freeze();
    return copy;
  }

  /** Stops the time at the present moment, or at the one that the clock is on its way to. */
  freeze(): void {
    this.#frozen = true;
    this.#hold();
  }

  /** Lets the time run, from the present moment or from the one that the clock is on its way to. */
  run(): void {
    this.#frozen = false;
    if (this.#goal === undefined) this.#release();
  }

  /**
   * Sets what is awaited on the way before the time moves on, and at its end; otherwise a turn of the event loop is. If
   * it rejects, the way ends there.
   */
  settleBy(settle: () => Promise<void>): void {
    this.#settle = settle;
  }

  /**
   * Moves the time forward. On the way it fires the timers that become due, each at the time at which it is due; what
   * they start gets a turn of the event loop before the time moves on. The way itself takes no time of the cluster.
   * A clock that is on its way goes further.
   * @returns resolves when the clock is there; rejects with the error of {@link settleBy}
   * @throws RangeError unless it is a whole number of at least 0, and for a time after the year 9999
   */
  advance(milliseconds: number): Promise<void> {
    if (!Number.isInteger(milliseconds) || milliseconds < 0)
      throw new RangeError('a clock is advanced by a whole number of milliseconds, at least 0');
    checkTime((this.#goal?.time ?? this.now()) + milliseconds);
    const { time, position } = this.#goal ?? this.#hold();
    return this.#go({ time: time + milliseconds, position: position + milliseconds });
  }

  /**
   * Sets the time: forward as {@link advance} does; back at once, and timers are due later.
   * @param time milliseconds since the Unix epoch
   * @returns resolves when the clock is there
   * @throws RangeError unless it is a whole number, and for a time before 1970 or after the year 9999
   */
  set(time: number): Promise<void> {
    checkTime(time);
    const held = this.#hold();
    const from = this.#goal ?? held;
    const goal = { time, position: from.position + time - from.time };
    if (goal.position < held.position) this.#held = goal;
    return this.#go(goal);
  }

  /**
   * Sets the time at once, as that of a machine which has slept: timers that are due by then fire in order, at the new
   * time; after a time that goes back they are due later. A clock that is on its way arrives first.
   * @returns resolves when they have fired
   * @throws RangeError as {@link set}
   */
  async jump(time: number): Promise<void> {
    checkTime(time);
    while (this.#goal !== undefined) await this.#arrival;
    const { time: before, position } = this.#hold();
    this.#held = { time, position: position + time - before };
    await this.#go(this.#held);
  }

  #position(): number {
    return this.#held?.position ?? this.#process.monotonic() + this.#shift;
  }

  /** Stops the time at the present moment. */
  #hold(): Moment {
    this.#held ??= { time: this.now(), position: this.#position() };
    this.#sleep();
    return this.#held;
  }

  /** Lets the time run from the present moment. */
  #release(): void {
    if (this.#held === undefined) return;
    this.#offset = this.#held.time - this.#process.now();
    this.#shift = this.#held.position - this.#process.monotonic();
    this.#held = undefined;
    this.#sleep();
  }

  #go(goal: Moment): Promise<void> {
    const isUnderWay = this.#goal !== undefined;
    this.#goal = goal;
    if (!isUnderWay) this.#arrival = this.#travel();
    return this.#arrival;
  }

  /** While the event loop has its turn, timers and the goal may change. */
  async #travel(): Promise<void> {
    try {
      for (let fired = 0; ; fired += 1) {
        if (this.#willMove()) await this.#settle();
        else if (fired % TIMERS_OF_A_TURN === 0) await this.#turn();
        const { first } = this.#timers;
        if (first === undefined || first.due > this.#goal!.position) break;
        this.#moveTo(first.due);
        this.#fire(first);
      }
      this.#held = this.#goal;
    } finally {
      this.#goal = undefined;
      if (!this.#frozen) this.#release();
    }
    for (const { listener } of [...this.#listeners]) this.#call(listener);
  }

  /** Whether the next step of the way is at a later time. */
  #willMove(): boolean {
    const due = this.#timers.first?.due ?? Number.POSITIVE_INFINITY;
    return Math.min(due, this.#goal!.position) > this.#held!.position;
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#process.soon(resolve));
  }

  #moveTo(position: number): void {
    const goal = this.#goal!;
    if (position <= this.#held!.position) return;
    this.#held = { time: Math.round(goal.time - (goal.position - position)), position };
  }

  #schedule(due: number, callback: () => void): () => void {
    const remove = this.#timers.add({ due, callback });
    this.#sleep();
    return () => {
      remove();
      if (this.#timers.first === undefined) this.#sleep();
    };
  }

  /** Lets the process wake the clock when a timer is due, unless it stands still. */
  #sleep(): void {
    const { first } = this.#timers;
    const due = first === undefined || this.#held !== undefined ? Number.POSITIVE_INFINITY : first.due;
    // A timer that was removed may wake the clock once in vain.
    if (Number.isFinite(due) && due >= this.#wakesAt) return;
    this.#cancelSleep();
    this.#wakesAt = due;
    if (!Number.isFinite(due)) return;
    const wait = Math.min(Math.max(due - this.#position(), 0), LONGEST_SLEEP);
    this.#cancelSleep = this.#process.after(wait, () => this.#wake());
  }

  #wake(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    for (let fired = 0; fired < TIMERS_OF_A_TURN && this.#held === undefined; fired += 1) {
      const { first } = this.#timers;
      if (first === undefined || first.due > this.#position()) break;
      this.#fire(first);
    }
    this.#sleep();
  }

  #fire({ callback }: HeapTimer): void {
    this.#timers.shift();
    this.#call(callback);
  }

  /** An error of a callback is that of the process, as with its own timers; the others are called. */
  #call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#process.soon(() => {
        throw error;
      });
    }
  }
}

function checkTime(time: number): void {
  if (!Number.isInteger(time) || time < 0 || time > LAST_TIME)
    throw new RangeError('a clock shows whole milliseconds from 1970 to 9999');
}
