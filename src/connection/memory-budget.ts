/**
 * Bounds one kind of memory over all connections of a listener: what unauthenticated clients can make the server
 * hold.
 */
export class MemoryBudget {
  #used = 0;
  readonly #most: number;
  readonly #free: number;

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
    let reserved = 0;
    return {
      reserve: (bytes) => {
        const counted = Math.max(0, bytes - this.#free);
        if (counted > reserved && this.#used + counted - reserved > this.#most) return false;
        this.#used += counted - reserved;
        reserved = counted;
        return true;
      },
    };
  }
}

export interface MemoryAccount {
  /**
   * Sets the reservation of the connection in bytes; 0 releases it. Returns false, without a change, when the
   * limit is exceeded.
   */
  reserve(bytes: number): boolean;
}
