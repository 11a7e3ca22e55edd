import type { LeaseSpec } from '../model/generated/coordination-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import { formatMicroTime } from '../model/time.ts';
import type { Logger } from '../observability/log.ts';
import type { Client } from '../reconcile/client.ts';
import { LEASES } from '../reconcile/resources.ts';
import { ApiError } from '../status/index.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { type Periodic, runPeriodically } from './periodic.ts';

/** client-go's defaults, in milliseconds. */
const LEASE_DURATION = 15_000;
const RENEW_DEADLINE = 10_000;
const RETRY_PERIOD = 2000;

export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

/** A Lease as one observer sees it: clocks of other machines are not trusted. */
export class ObservedLease {
  #record = '';
  #observedAt = 0;

  /** Whether somebody holds the lease at `now`, a monotonic time in milliseconds. */
  isHeld(lease: KubernetesObject | undefined, now: number): boolean {
    return this.heldUntil(lease, now) > now;
  }

  /** The monotonic time at which the lease ends unless it is renewed; 0 if nobody holds it. */
  heldUntil(lease: KubernetesObject | undefined, now: number): number {
    const spec = (lease?.spec ?? {}) as LeaseSpec;
    const record = JSON.stringify([spec.holderIdentity, spec.renewTime, spec.acquireTime]);
    if (record !== this.#record) {
      this.#record = record;
      this.#observedAt = now;
    }
    const { holderIdentity = '', leaseDurationSeconds = 0 } = spec;
    return holderIdentity === '' ? 0 : this.#observedAt + leaseDurationSeconds * 1000;
  }
}

export interface LeaderElectionOptions {
  readonly client: Client;
  readonly lease: LeaseName;
  /** Identity of this process; no other process has it. */
  readonly identity: string;
  /** Decides when a lease has expired: clocks of processes may differ. */
  readonly clock: Pick<ProcessClock, 'after' | 'monotonic'>;
  /** The times in the lease. */
  readonly clusterClock: Pick<ClusterClock, 'now'>;
  readonly logger: Logger;
  /** Called when this process starts to lead; the next call is `onStopped`. */
  onStarted(): void;
  /** Called when this process does not lead any more. */
  onStopped(): Promise<void>;
}

/**
 * Elects one of several processes by a Lease, as client-go does. It does not fence writes: a suspended leader
 * writes until it sees that its lease has expired.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #observed = new ObservedLease();
  #loop: Periodic | undefined;
  #leads = false;
  /** Monotonic time of the last successful renewal. */
  #renewedAt = 0;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, logger, lease } = this.#options;
    this.#loop = runPeriodically({
      clock,
      delay: 0,
      interval: RETRY_PERIOD,
      run: () => this.#attempt(),
      onError: (error) =>
        logger.warn('failed to take or renew a lease', { lease: lease.name, err: error.message }),
    });
  }

  /** Stops to lead, and releases the lease so that another process leads at once. */
  async stop(): Promise<void> {
    await this.#loop?.stop();
    if (!this.#leads) return;
    await this.#stopLeading();
    try {
      await this.#release();
    } catch (error) {
      const { lease, logger } = this.#options;
      logger.warn('failed to release a lease', { lease: lease.name, err: (error as Error).message });
    }
  }

  async #attempt(): Promise<void> {
    const { clock } = this.#options;
    const begin = clock.monotonic();
    try {
      if (await this.#acquireOrRenew()) {
        this.#renewedAt = begin;
        if (!this.#leads) this.#startLeading();
      } else await this.#stopLeading();
    } finally {
      if (this.#leads && clock.monotonic() - this.#renewedAt >= RENEW_DEADLINE) await this.#stopLeading();
    }
  }

  #startLeading(): void {
    const { lease, identity, logger } = this.#options;
    this.#leads = true;
    logger.info('became leader', { lease: lease.name, identity });
    this.#options.onStarted();
  }

  async #stopLeading(): Promise<void> {
    if (!this.#leads) return;
    const { lease, identity, logger } = this.#options;
    this.#leads = false;
    logger.info('stopped leading', { lease: lease.name, identity });
    await this.#options.onStopped();
  }

  /** Returns whether this process holds the lease. */
  async #acquireOrRenew(): Promise<boolean> {
    const { client, lease, identity, clock, clusterClock } = this.#options;
    const stored = await client.get(LEASES, lease.namespace, lease.name);
    const now = formatMicroTime(clusterClock.now());
    const spec: LeaseSpec = {
      holderIdentity: identity,
      leaseDurationSeconds: LEASE_DURATION / 1000,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    };
    try {
      if (stored === undefined) {
        await client.create(LEASES, { metadata: { ...lease }, spec } as KubernetesObject);
        return true;
      }
      const old = (stored.spec ?? {}) as LeaseSpec;
      const isHeld = this.#observed.isHeld(stored, clock.monotonic());
      const isOwn = old.holderIdentity === identity;
      if (isHeld && !isOwn) return false;
      const { leaseTransitions = 0 } = old;
      const next = isOwn
        ? { ...spec, acquireTime: old.acquireTime, leaseTransitions }
        : { ...spec, leaseTransitions: leaseTransitions + 1 };
      await client.update(LEASES, { ...stored, spec: next });
      return true;
    } catch (error) {
      // Another process was faster.
      if (error instanceof ApiError && error.code === 409) return false;
      throw error;
    }
  }

  async #release(): Promise<void> {
    const { client, lease, identity, clusterClock } = this.#options;
    const stored = await client.get(LEASES, lease.namespace, lease.name);
    const old = (stored?.spec ?? {}) as LeaseSpec;
    if (stored === undefined || old.holderIdentity !== identity) return;
    const now = formatMicroTime(clusterClock.now());
    const spec: LeaseSpec = {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: old.leaseTransitions ?? 0,
    };
    await client.update(LEASES, { ...stored, spec });
  }
}
