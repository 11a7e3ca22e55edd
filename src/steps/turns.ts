/** The turns of the event loop that one flow of requests gets. */
export interface LoopTurns {
  /**
   * Waits for a turn of the flow.
   * @param started whether the work has begun: such work goes first, which keeps the number of large objects in
   * memory low
   */
  next(started?: boolean): Promise<void>;
  /** Waits for a turn, unless the present one is of this flow and has time left. */
  pause(): Promise<void> | undefined;
  /** Whether the present turn is of this flow and has no time left. */
  readonly isOver: boolean;
}

/** Cost units that a request evaluates without a turn of its own: about ten milliseconds. */
const COST_WITHOUT_TURN = 1_000_000;
/** Cost units after which it looks whether its turn is over. */
const COST_AT_ONCE = 100_000;

/** Divides the evaluations of one request into turns of the event loop. */
export class CostTurns {
  #cost = 0;
  #looked = 0;

  constructor(private readonly loop: LoopTurns) {}

  /** Returns a promise for the next turn when this one has taken its time, or has cost enough. */
  after(cost: number): Promise<void> | undefined {
    this.#cost += cost;
    if (this.#cost - this.#looked < COST_AT_ONCE) return undefined;
    this.#looked = this.#cost;
    if (this.#cost < COST_WITHOUT_TURN && !this.loop.isOver) return undefined;
    this.#cost = 0;
    this.#looked = 0;
    return this.loop.pause();
  }
}
