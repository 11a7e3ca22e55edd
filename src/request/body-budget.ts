import type { BodyAccount } from '../connection/exchange.ts';

export interface BodyBudgetOptions {
  /** Limit in bytes on the bodies of one user. */
  readonly perUser: number;
  /** Limit in bytes on all bodies. */
  readonly total: number;
}

/** The bodies of one user. */
interface UserUsage {
  readonly user: string;
  used: number;
  /** Bodies still being received, the longest stalled first. */
  readonly unfinished: Set<BodyReservation>;
}

/**
 * Limits the bytes of request bodies in memory, per user and in total, from the first byte to the end of the
 * request. A user above the limit is refused. At the total limit, bodies of the user with the highest usage
 * that are still being received are refused, the longest stalled first. A flood of one user therefore affects
 * no other user.
 */
export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #usages = new Map<string, UserUsage>();
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
    return new BodyReservation(this, user);
  }

  /** Reserves bytes; called by a reservation. */
  reserve(reservation: BodyReservation, bytes: number): boolean {
    const { perUser, total } = this.#options;
    let usage = this.#usages.get(reservation.user);
    if (usage === undefined) {
      usage = { user: reservation.user, used: 0, unfinished: new Set() };
      this.#usages.set(reservation.user, usage);
    }
    if (usage.used + bytes > perUser || !this.#reclaim(usage, total - bytes)) {
      this.#forget(usage);
      return false;
    }
    usage.used += bytes;
    this.#used += bytes;
    usage.unfinished.delete(reservation);
    usage.unfinished.add(reservation);
    return true;
  }

  /** Marks a body as fully received, so that it is no longer refused; called by a reservation. */
  complete(reservation: BodyReservation): void {
    this.#usages.get(reservation.user)?.unfinished.delete(reservation);
  }

  /** Returns bytes; called by a reservation. */
  release(reservation: BodyReservation, bytes: number): void {
    const usage = this.#usages.get(reservation.user);
    if (usage === undefined) return;
    usage.used -= bytes;
    this.#used -= bytes;
    usage.unfinished.delete(reservation);
    this.#forget(usage);
  }

  /**
   * Refuses bodies until at most `most` bytes are in use. False if only bodies of the requesting user could be
   * refused.
   */
  #reclaim(requester: UserUsage, most: number): boolean {
    while (this.#used > most) {
      let largest = requester;
      for (const usage of this.#usages.values())
        if (usage.unfinished.size > 0 && usage.used > largest.used) largest = usage;
      const [longestStalled] = largest.unfinished;
      if (largest === requester || longestStalled === undefined) return false;
      longestStalled.refuse();
    }
    return true;
  }

  #forget(usage: UserUsage): void {
    if (usage.used === 0 && usage.unfinished.size === 0) this.#usages.delete(usage.user);
  }
}

class BodyReservation implements BodyAccount {
  readonly user: string;
  readonly #budget: BodyBudget;
  #bytes = 0;
  #reclaimed: (() => void) | undefined;

  constructor(budget: BodyBudget, user: string) {
    this.#budget = budget;
    this.user = user;
  }

  onReclaimed(callback: (() => void) | undefined): void {
    this.#reclaimed = callback;
  }

  reserve(bytes: number): boolean {
    if (!this.#budget.reserve(this, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  complete(): void {
    this.#reclaimed = undefined;
    this.#budget.complete(this);
  }

  release(): void {
    this.#reclaimed = undefined;
    this.#budget.release(this, this.#bytes);
    this.#bytes = 0;
  }

  /** Refuses the body to free its bytes. */
  refuse(): void {
    const callback = this.#reclaimed;
    this.release();
    callback?.();
  }
}
