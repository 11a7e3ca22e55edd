import type { BodyAccount } from '../connection/exchange.ts';

export interface BodyBudgetOptions {
  /** Limit in bytes on the bodies of one user. */
  readonly perUser: number;
  /** Limit in bytes on all bodies. */
  readonly total: number;
}

/** The bodies of one user. */
interface Share {
  readonly user: string;
  used: number;
  /** Bodies still being received, the longest stalled first. */
  readonly unfinished: Set<Hold>;
}

/**
 * Limits the bytes of request bodies in memory, per user and in total, from the first byte to the end of the
 * request. A user above the limit is refused. At the total limit, bodies of the user with the highest usage
 * that are still being received are refused, the longest stalled first. A flood of one user therefore affects
 * no other user.
 */
export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #shares = new Map<string, Share>();
  #used = 0;

  constructor(options: BodyBudgetOptions) {
    this.#options = options;
  }

  /** Bytes in use by all bodies. */
  get used(): number {
    return this.#used;
  }

  /** Opens the account of one body. @param user the authenticated user, regardless of impersonation */
  open(user: string): BodyAccount {
    return new Hold(this, user);
  }

  /** Reserves bytes; called by a hold. */
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

  /** Marks a body as fully received, so that it is no longer refused; called by a hold. */
  complete(hold: Hold): void {
    this.#shares.get(hold.user)?.unfinished.delete(hold);
  }

  /** Returns bytes; called by a hold. */
  release(hold: Hold, bytes: number): void {
    const share = this.#shares.get(hold.user);
    if (share === undefined) return;
    share.used -= bytes;
    this.#used -= bytes;
    share.unfinished.delete(hold);
    this.#forget(share);
  }

  /**
   * Refuses bodies until at most `most` bytes are in use. False if the requesting user would have to give
   * way.
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

  /** Refuses the body to free its bytes. */
  refuse(): void {
    const callback = this.onReclaimed;
    this.release();
    callback?.();
  }
}
