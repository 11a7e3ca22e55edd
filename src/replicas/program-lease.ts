import type { LeaseSpec } from '../model/generated/coordination-v1.ts';
import type { Logger } from '../observability/log.ts';
import type { Client } from '../reconcile/client.ts';
import type { Program } from '../reconcile/declaration.ts';
import { LEASES } from '../reconcile/resources.ts';
import { WorkQueue } from '../reconcile/work-queue.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { isExpired } from './identity-lease.ts';
import { ObservedLease } from './leader-election.ts';

/** The namespace in which programs have their Leases. */
export const PROGRAM_NAMESPACE = 'kube-system';

export interface ProgramLeaseOptions {
  readonly program: Program;
  readonly client: Pick<Client, 'get'>;
  /** Calls a listener after each write of the Lease; returns what ends that. */
  readonly watch: (listener: () => void) => () => void;
  readonly clock: Pick<ProcessClock, 'now' | 'after' | 'monotonic'>;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  readonly logger: Logger;
  /** Told first of the present state, then of each change. */
  readonly onChange: (isHeld: boolean) => void;
}

/**
 * Follows the Lease of a program that runs elsewhere. Its holder is noticed with the write of the Lease; that it has
 * gone, when the Lease was not renewed for its duration, measured by the clock of this process.
 */
export class ProgramLease {
  readonly #options: ProgramLeaseOptions;
  readonly #observed = new ObservedLease();
  readonly #queue: WorkQueue;
  #isHeld: boolean | undefined;
  #cancelExpiry = (): void => undefined;
  #endWatch = (): void => undefined;

  constructor(options: ProgramLeaseOptions) {
    this.#options = options;
    const { clock, clusterClock, logger } = options;
    this.#queue = new WorkQueue({
      work: () => this.#look(),
      clock,
      clusterClock,
      workers: 1,
      onError: (lease, error) =>
        logger.warn('failed to read the lease of a program', { lease, err: (error as Error).message }),
    });
  }

  /** Undefined until the Lease was read. */
  get isHeld(): boolean | undefined {
    return this.#isHeld;
  }

  start(): void {
    const { program, watch } = this.#options;
    this.#endWatch = watch(() => this.#queue.add(program));
    this.#queue.add(program);
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#endWatch();
    await this.#queue.stop();
    this.#cancelExpiry();
  }

  async #look(): Promise<'done'> {
    const { program, client, clock, clusterClock, onChange } = this.#options;
    const lease = await client.get(LEASES, PROGRAM_NAMESPACE, program);
    const now = clock.monotonic();
    const heldUntil = this.#observed.heldUntil(lease, now);
    // A Lease that ended before this server started is not waited for.
    const isPast = this.#isHeld === undefined && isExpired(lease?.spec as LeaseSpec, clusterClock.now());
    const isHeld = heldUntil > now && !isPast;
    this.#cancelExpiry();
    if (isHeld) this.#cancelExpiry = clock.after(heldUntil - now, () => this.#queue.add(program));
    if (isHeld !== this.#isHeld) {
      this.#isHeld = isHeld;
      onChange(isHeld);
    }
    return 'done';
  }
}
