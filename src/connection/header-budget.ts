/** Bytes of unfinished headers that every connection may hold, whatever the others do. */
const FREE_BYTES = 64 * 1024;

/**
 * Bounds the memory of headers that have not come to their end, over all connections of a listener: nobody
 * has to be authenticated to send them, and those of one request may be large.
 */
export class HeaderBudget {
  #used = 0;
  readonly #most: number;

  /** @param most bytes that all connections together may hold beyond the share that is free for each */
  constructor(most: number) {
    this.#most = most;
  }

  /** The account of one connection. */
  open(): HeaderAccount {
    let held = 0;
    return {
      reserve: (bytes) => {
        const wanted = Math.max(0, bytes - FREE_BYTES);
        if (wanted > held && this.#used + wanted - held > this.#most) return false;
        this.#used += wanted - held;
        held = wanted;
        return true;
      },
    };
  }
}

export interface HeaderAccount {
  /**
   * Sets what the connection holds, in bytes; 0 gives all back. False when there is no room for as many:
   * nothing changes then.
   */
  reserve(bytes: number): boolean;
}
