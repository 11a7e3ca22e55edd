import type { RunningControllers } from '../controllers/manager.ts';
import type { LeaseSpec } from '../model/generated/coordination-v1.ts';
import type { Logger } from '../observability/log.ts';
import type { Client } from '../reconcile/client.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { isExpired, LEASES } from './identity-lease.ts';
import { LeaderElection, ObservedLease } from './leader-election.ts';
import { type Periodic, runPeriodically } from './periodic.ts';

const NAMESPACE = 'kube-system';
/** The Lease of the servers that share a store. */
const OWN_LEASE = { namespace: NAMESPACE, name: 'binnacle-controllers' };
/** The Lease of a kube-controller-manager. */
const MANAGER_LEASE = 'kube-controller-manager';
/** Milliseconds between two looks at the Lease of a kube-controller-manager. */
const MANAGER_INTERVAL = 2000;

export interface ControllerLeadershipOptions {
  readonly client: Client;
  readonly controllers: Pick<RunningControllers, 'startSelected' | 'stopSelected'>;
  /** Identity of this process. */
  readonly identity: string;
  /** Whether other servers may run on the same store. */
  readonly shared: boolean;
  readonly clock: Pick<ProcessClock, 'after' | 'monotonic'>;
  readonly clusterClock: Pick<ClusterClock, 'now'>;
  readonly logger: Logger;
}

/**
 * Runs the optional controllers on one server, and only while no kube-controller-manager renews its Lease:
 * it has the same controllers.
 */
export class ControllerLeadership {
  readonly #options: ControllerLeadershipOptions;
  readonly #election: LeaderElection | undefined;
  readonly #observed = new ObservedLease();
  #managerLoop: Periodic | undefined;
  /** Undefined until the Lease was read. */
  #managerRuns: boolean | undefined;
  #leads: boolean;
  #runs = false;
  /** Starts and stops one after another. */
  #changes: Promise<void> = Promise.resolve();

  constructor(options: ControllerLeadershipOptions) {
    this.#options = options;
    const { client, identity, clock, clusterClock, logger, shared } = options;
    this.#leads = !shared;
    if (!shared) return;
    this.#election = new LeaderElection({
      client,
      lease: OWN_LEASE,
      identity,
      clock,
      clusterClock,
      logger,
      onStarted: () => void this.#setLeads(true),
      onStopped: () => this.#setLeads(false),
    });
  }

  start(): void {
    const { clock, logger } = this.#options;
    this.#managerLoop = runPeriodically({
      clock,
      delay: 0,
      interval: MANAGER_INTERVAL,
      run: () => this.#lookForManager(),
      onError: (error) =>
        logger.warn('failed to read the lease of a controller manager', { err: error.message }),
    });
    this.#election?.start();
  }

  async stop(): Promise<void> {
    await this.#managerLoop?.stop();
    await this.#election?.stop();
    await this.#changes;
  }

  async #lookForManager(): Promise<void> {
    const { client, clock, clusterClock, logger } = this.#options;
    const lease = await client.get(LEASES, NAMESPACE, MANAGER_LEASE);
    const held = this.#observed.isHeld(lease, clock.monotonic());
    // A Lease that ended before this server started is not waited for.
    const runs =
      held && (this.#managerRuns !== undefined || !isExpired(lease?.spec as LeaseSpec, clusterClock.now()));
    if (runs !== (this.#managerRuns ?? false))
      logger.info(
        runs
          ? 'a kube-controller-manager holds its lease; stopping the own controllers'
          : 'no kube-controller-manager holds its lease; starting the own controllers',
      );
    this.#managerRuns = runs;
    await this.#update();
  }

  #setLeads(leads: boolean): Promise<void> {
    this.#leads = leads;
    return this.#update();
  }

  #update(): Promise<void> {
    this.#changes = this.#changes.then(async () => {
      const runs = this.#leads && this.#managerRuns === false;
      if (runs === this.#runs) return;
      this.#runs = runs;
      if (runs) this.#options.controllers.startSelected();
      else await this.#options.controllers.stopSelected();
    });
    return this.#changes;
  }
}
