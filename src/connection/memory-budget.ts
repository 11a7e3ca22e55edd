/**
 * Bounds one kind of memory over all connections of a listener: what unauthenticated clients can make the server
 * hold.
 */
export class MemoryBudget {
  readonly #most: number;
  readonly #free: number;
  #used = 0;

  /**
   * @param most maximum bytes of all connections together, beyond the free share of each
   * @param free bytes that each connection may use regardless of the others
   */
  constructor(most: number, free: number) {
    this.#most = most;
    this.#free = free;
  }

  /** The account of one connection. */
  open(): MemoryAccount {
    return new MemoryAccount(this);
  }

  /** Changes the reservation of an account; called by it. @returns the new one; undefined above the limit */
  change(reserved: number, bytes: number): number | undefined {
    const counted = Math.max(0, bytes - this.#free);
    if (counted > reserved && this.#used + counted - reserved > this.#most) return undefined;
    this.#used += counted - reserved;
    return counted;
  }
}

export class MemoryAccount {
  readonly #budget: MemoryBudget;
  #reserved = 0;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  /**
   * Sets the reservation of the connection in bytes; 0 releases it. Returns false, without a change, when the
   * limit is exceeded.
   */
  reserve(bytes: number): boolean {
    const reserved = this.#budget.change(this.#reserved, bytes);
    if (reserved === undefined) return false;
    this.#reserved = reserved;
    return true;
  }
}
