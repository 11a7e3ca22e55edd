import type { BodyAccount } from '../connection/exchange.ts';

export interface BodyBudgetOptions {
  /** Bytes that the bodies of one user may take. */
  readonly perUser: number;
  /** Bytes that all bodies may take. */
  readonly total: number;
}

/** The bodies of one user. */
interface Share {
  readonly user: string;
  used: number;
  /** Those still being received; the one that has waited longest for its next bytes comes first. */
  readonly unfinished: Set<Hold>;
}

/**
 * Bounds the bytes of request bodies in memory, of each user and in all, from their first byte until the
 * request has ended. Who reaches the bound of a user is refused. Where all bodies together reach theirs, room
 * is made at the expense of the user who takes most: his bodies that are still being received are refused,
 * the stalest first. So a storm of one user refuses nobody else.
 */
export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #shares = new Map<string, Share>();
  #used = 0;

  constructor(options: BodyBudgetOptions) {
    this.#options = options;
  }

  /** Bytes taken by all bodies. */
  get used(): number {
    return this.#used;
  }

  /**
   * The account of one body. @param user whose credentials the request carries: impersonation must not change
   * it
   */
  open(user: string): BodyAccount {
    return new Hold(this, user);
  }

  /** For holds. */
  take(hold: Hold, bytes: number): boolean {
    const { perUser, total } = this.#options;
    let share = this.#shares.get(hold.user);
    if (share === undefined) {
      share = { user: hold.user, used: 0, unfinished: new Set() };
      this.#shares.set(hold.user, share);
    }
    if (share.used + bytes > perUser || !this.#makeRoom(share, total - bytes)) {
      this.#forget(share);
      return false;
    }
    share.used += bytes;
    this.#used += bytes;
    share.unfinished.delete(hold);
    share.unfinished.add(hold);
    return true;
  }

  /** For holds: the body is there to its end, and can't be refused any more. */
  complete(hold: Hold): void {
    this.#shares.get(hold.user)?.unfinished.delete(hold);
  }

  /** For holds. */
  release(hold: Hold, bytes: number): void {
    const share = this.#shares.get(hold.user);
    if (share === undefined) return;
    share.used -= bytes;
    this.#used -= bytes;
    share.unfinished.delete(hold);
    this.#forget(share);
  }

  /**
   * Refuses bodies until no more than `most` bytes are used. False when that would be at the expense of who
   * asks.
   */
  #makeRoom(asking: Share, most: number): boolean {
    while (this.#used > most) {
      let victim = asking;
      for (const share of this.#shares.values())
        if (share.unfinished.size > 0 && share.used > victim.used) victim = share;
      const [stalest] = victim.unfinished;
      if (victim === asking || stalest === undefined) return false;
      stalest.refuse();
    }
    return true;
  }

  #forget(share: Share): void {
    if (share.used === 0 && share.unfinished.size === 0) this.#shares.delete(share.user);
  }
}

class Hold implements BodyAccount {
  onReclaimed: (() => void) | undefined;
  readonly user: string;
  readonly #budget: BodyBudget;
  #bytes = 0;

  constructor(budget: BodyBudget, user: string) {
    this.#budget = budget;
    this.user = user;
  }

  reserve(bytes: number): boolean {
    if (!this.#budget.take(this, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  complete(): void {
    this.onReclaimed = undefined;
    this.#budget.complete(this);
  }

  release(): void {
    this.onReclaimed = undefined;
    this.#budget.release(this, this.#bytes);
    this.#bytes = 0;
  }

  /** Gives the room to somebody else. */
  refuse(): void {
    const told = this.onReclaimed;
    this.release();
    told?.();
  }
}
