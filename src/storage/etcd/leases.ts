import type { ProcessClock } from '../../time/clock.ts';
import type { Cluster } from './cluster.ts';
import { decodeLeaseGrant } from './messages.ts';
import { GRANT } from './paths.ts';
import { encodeLeaseGrant } from './requests.ts';

/** Share of the TTL that a lease may last longer, so that it can be reused; kube-apiserver's value. */
const REUSE_SHARE = 0.05;
/** Keys per lease; kube-apiserver's value. */
const MAXIMUM_KEYS = 1000;

export interface LeaseOptions {
  readonly cluster: Cluster;
  readonly clock: Pick<ProcessClock, 'monotonic'>;
  /** Longest time in seconds that a lease lasts longer than asked for (`--lease-reuse-duration-seconds`). */
  readonly reuseSeconds: number;
  /** Called with the number of keys of a lease when the next one is granted. */
  readonly onReplaced: ((keys: number) => void) | undefined;
}

interface Lease {
  readonly id: number | bigint;
  /** Monotonic milliseconds. */
  readonly end: number;
  keys: number;
}

/** Grants leases that keys share: a key lives at least as long as asked for, and at most 5 % longer. */
export class Leases {
  #newest: Lease | undefined;
  /** Grants in turn, so that keys that wait share a lease. */
  #granting: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: LeaseOptions) {}

  /** Returns the id of a lease for one more key. @throws StorageUnavailableError */
  take(seconds: number): Promise<number | bigint> {
    const known = this.#reuse(seconds);
    if (known !== undefined) return Promise.resolve(known);
    const taken = this.#granting.then(() => this.#reuse(seconds) ?? this.#grant(seconds));
    this.#granting = taken.catch(() => undefined);
    return taken;
  }

  /** The store does not know the lease: it is not used again. */
  forget(id: number | bigint): void {
    if (this.#newest?.id === id) this.#newest = undefined;
  }

  /** The cluster was replaced: it has none of the leases. */
  forgetAll(): void {
    this.#newest = undefined;
  }

  #reuse(seconds: number): number | bigint | undefined {
    const lease = this.#newest;
    if (lease === undefined || lease.keys >= MAXIMUM_KEYS) return undefined;
    const needed = this.options.clock.monotonic() + seconds * 1000;
    if (lease.end < needed || lease.end > needed + this.#extra(seconds) * 1000) return undefined;
    lease.keys += 1;
    return lease.id;
  }

  async #grant(seconds: number): Promise<number | bigint> {
    const { cluster, clock, onReplaced } = this.options;
    const total = seconds + this.#extra(seconds);
    const end = clock.monotonic() + total * 1000;
    const { id } = await cluster.call(GRANT, encodeLeaseGrant(total), decodeLeaseGrant);
    if (this.#newest !== undefined) onReplaced?.(this.#newest.keys);
    this.#newest = { id, end, keys: 1 };
    return id;
  }

  #extra(seconds: number): number {
    return Math.min(Math.floor(seconds * REUSE_SHARE), this.options.reuseSeconds);
  }
}
