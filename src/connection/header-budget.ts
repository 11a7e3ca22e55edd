/** Bytes of incomplete headers that each connection may buffer regardless of the others. */
const FREE_BYTES = 64 * 1024;

/**
 * Bounds the memory of incomplete headers over all connections of a listener: unauthenticated clients can
 * send them, and the headers of one request may be large.
 */
export class HeaderBudget {
  #used = 0;
  readonly #most: number;

  /** @param most maximum bytes of all connections together, beyond the free share of each */
  constructor(most: number) {
    this.#most = most;
  }

  /** The account of one connection. */
  open(): HeaderAccount {
    let reserved = 0;
    return {
      reserve: (bytes) => {
        const counted = Math.max(0, bytes - FREE_BYTES);
        if (counted > reserved && this.#used + counted - reserved > this.#most) return false;
        this.#used += counted - reserved;
        reserved = counted;
        return true;
      },
    };
  }
}

export interface HeaderAccount {
  /**
   * Sets the reservation of the connection in bytes; 0 releases it. Returns false, without a change, when the
   * limit is exceeded.
   */
  reserve(bytes: number): boolean;
}
