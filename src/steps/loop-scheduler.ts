import { type ProcessClock, processClock } from '../time/clock.ts';
import type { LoopTurns } from './turns.ts';

/** Milliseconds of a turn, after which work pauses at its next opportunity. */
const TURN_MILLISECONDS = 1;

/** Weight of work that belongs to no flow: about that of a priority level with many seats. */
const OWN_WEIGHT = 100;

/** Flows that share a weight: those of one priority level. */
export class TurnGroup {
  /** Flows with waiting work. */
  active = 0;

  /** @param weight above 0 */
  constructor(readonly weight: () => number) {}
}

/** A flow and its waiting work. */
class Flow implements LoopTurns {
  /** Milliseconds that the flow may still take in this round; negative if it took more than its share. */
  deficit = 0;
  readonly #started: (() => void)[] = [];
  readonly #pending: (() => void)[] = [];

  constructor(
    readonly group: TurnGroup,
    private readonly scheduler: LoopScheduler,
  ) {}

  next(started = true): Promise<void> {
    return new Promise((resolve) => {
      const first = this.isIdle;
      (started ? this.#started : this.#pending).push(resolve);
      if (first) this.scheduler.activate(this);
    });
  }

  pause(): Promise<void> | undefined {
    return this.scheduler.hasTurn(this) && !this.scheduler.isTurnOver() ? undefined : this.next();
  }

  get isOver(): boolean {
    return this.scheduler.hasTurn(this) && this.scheduler.isTurnOver();
  }

  get isIdle(): boolean {
    return this.#started.length === 0 && this.#pending.length === 0;
  }

  /** Continues the work that waits longest. */
  grant(): void {
    (this.#started.shift() ?? this.#pending.shift())?.();
  }
}

/** What the scheduler needs of the process; tests decide when turns begin and end. */
export interface LoopTiming {
  readonly monotonic: ProcessClock['monotonic'];
  /** Calls back in a later iteration of the event loop. */
  readonly soon: ProcessClock['soon'];
  /** Calls back when everything has run that the present callback causes without waiting for the event loop. */
  afterMicrotasks(callback: () => void): void;
}

const PROCESS: LoopTiming = {
  monotonic: processClock.monotonic,
  soon: processClock.soon,
  afterMicrotasks: (callback) => queueMicrotask(() => process.nextTick(callback)),
};

/**
 * Shares the event loop among flows of requests: one turn per iteration, so that small requests, which need no
 * turn, are served in between. Deficit round robin by measured time: a flow gets its group's weight, divided by
 * the active flows of the group, however many requests it has.
 */
export class LoopScheduler {
  /** The turns of work that belongs to no flow and to no cluster. */
  readonly own: LoopTurns;
  readonly #ownGroup = new TurnGroup(() => OWN_WEIGHT);
  readonly #timing: LoopTiming;
  /** The flows with waiting work, and the one that has the turn. */
  readonly #active: Flow[] = [];
  #position = 0;
  #isScheduled = false;
  #current: Flow | undefined;
  #begun = 0;

  constructor(timing: LoopTiming = PROCESS) {
    this.#timing = timing;
    this.own = this.ownFlow();
  }

  /** Creates a flow. It has no cost while it has no waiting work. */
  flow(group: TurnGroup): LoopTurns {
    return new Flow(group, this);
  }

  /**
   * Creates a flow for what a cluster does of its own accord, and for requests before their classification. All of
   * them share a weight: a cluster with much to do takes nothing from those with little.
   */
  ownFlow(): LoopTurns {
    return this.flow(this.#ownGroup);
  }

  /** Adds a flow that was idle and has work now. For flows of this scheduler. */
  activate(flow: Flow): void {
    // It is still among the active flows until its turn ends.
    if (this.hasTurn(flow)) return;
    this.#active.push(flow);
    flow.group.active += 1;
    if (this.#current === undefined) this.#schedule();
  }

  hasTurn(flow: Flow): boolean {
    return this.#current === flow;
  }

  isTurnOver(): boolean {
    return this.#timing.monotonic() - this.#begun >= TURN_MILLISECONDS;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#active.length === 0) return;
    this.#isScheduled = true;
    this.#timing.soon(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    const flow = this.#choose();
    this.#current = flow;
    this.#begun = this.#timing.monotonic();
    flow.grant();
    this.#timing.afterMicrotasks(() => this.#end(flow));
  }

  #end(flow: Flow): void {
    flow.deficit -= this.#timing.monotonic() - this.#begun;
    this.#current = undefined;
    if (flow.isIdle) this.#deactivate(flow);
    this.#schedule();
  }

  /** An idle flow keeps its debt but no credit. */
  #deactivate(flow: Flow): void {
    const index = this.#active.indexOf(flow);
    this.#active.splice(index, 1);
    if (index < this.#position) this.#position -= 1;
    flow.group.active -= 1;
    flow.deficit = Math.min(flow.deficit, 0);
  }

  /** The first flow, from the one that was served last, that may still take time in this round. */
  #choose(): Flow {
    for (;;) {
      for (let step = 0; step < this.#active.length; step += 1) {
        if (this.#position >= this.#active.length) this.#position = 0;
        const flow = this.#active[this.#position]!;
        if (flow.deficit > 0) return flow;
        this.#position += 1;
      }
      this.#replenish();
    }
  }

  /** Begins as many rounds as it takes until one flow may take time again. */
  #replenish(): void {
    const shares = this.#active.map(({ group }) => group.weight() / group.active);
    const most = Math.max(...shares);
    let rounds = Number.POSITIVE_INFINITY;
    for (const [index, { deficit }] of this.#active.entries()) {
      const quantum = (TURN_MILLISECONDS * shares[index]!) / most;
      rounds = Math.min(rounds, Math.floor(-deficit / quantum) + 1);
    }
    for (const [index, flow] of this.#active.entries())
      flow.deficit += (rounds * TURN_MILLISECONDS * shares[index]!) / most;
  }
}
