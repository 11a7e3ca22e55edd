import type { RunningControllers } from '../controllers/manager.ts';
import type { Logger } from '../observability/log.ts';
import type { Client } from '../reconcile/client.ts';
import type { Program } from '../reconcile/declaration.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { LeaderElection } from './leader-election.ts';
import { PROGRAM_NAMESPACE, ProgramLease } from './program-lease.ts';

/** The Lease of the servers that share a store. */
const OWN_LEASE = { namespace: PROGRAM_NAMESPACE, name: 'binnacle-controllers' };

export interface ControllerLeadershipOptions {
  readonly client: Client;
  readonly controllers: Pick<RunningControllers, 'start' | 'end'>;
  /** The programs whose controllers run here, at least one. */
  readonly programs: readonly Program[];
  /** Identity of this process. */
  readonly identity: string;
  /** Whether other servers may run on the same store. */
  readonly shared: boolean;
  /** Calls a listener after each write of the Lease of a program; returns what ends that. */
  readonly watchLease: (program: Program, listener: () => void) => () => void;
  readonly clock: Pick<ProcessClock, 'now' | 'after' | 'monotonic'>;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  readonly logger: Logger;
}

/** What is known of one program. */
interface Standing {
  readonly program: Program;
  readonly lease: ProgramLease;
  runs: boolean;
  /** Another process has held the Lease. */
  yielded: boolean;
}

/**
 * Runs the optional controllers on one server, and those of a program only while nobody renews the Lease of that
 * program: it has the same controllers.
 */
export class ControllerLeadership {
  readonly #options: ControllerLeadershipOptions;
  readonly #election: LeaderElection | undefined;
  readonly #standings: readonly Standing[];
  #leads: boolean;
  /** Starts and stops one after another. */
  #changes: Promise<void> = Promise.resolve();

  constructor(options: ControllerLeadershipOptions) {
    this.#options = options;
    const { shared, programs } = options;
    this.#leads = !shared;
    this.#standings = programs.map((program) => {
      const standing: Standing = {
        program,
        runs: false,
        yielded: false,
        lease: new ProgramLease({
          ...options,
          program,
          watch: (listener) => options.watchLease(program, listener),
          onChange: (isHeld) => this.#programChanged(standing, isHeld),
        }),
      };
      return standing;
    });
    if (!shared) return;
    this.#election = new LeaderElection({
      ...options,
      lease: OWN_LEASE,
      onStarted: () => void this.#setLeads(true),
      onStopped: () => this.#setLeads(false),
    });
  }

  /** Whether the controllers of a program run in this server. */
  runs(program: Program): boolean {
    return this.#standings.some((standing) => standing.program === program && standing.runs);
  }

  start(): void {
    for (const { lease } of this.#standings) lease.start();
    this.#election?.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#standings.map(({ lease }) => lease.stop()));
    await this.#election?.stop();
    await this.#changes;
  }

  #programChanged(standing: Standing, isHeld: boolean): void {
    const { program: lease } = standing;
    if (isHeld) {
      standing.yielded = true;
      this.#options.logger.info('another process holds the lease of a program; its controllers stop here', {
        lease,
      });
    } else if (standing.yielded)
      this.#options.logger.info('nobody holds the lease of a program any more; its controllers start here', {
        lease,
      });
    void this.#update();
  }

  #setLeads(leads: boolean): Promise<void> {
    this.#leads = leads;
    return this.#update();
  }

  #update(): Promise<void> {
    this.#changes = this.#changes.then(async () => {
      await Promise.all(this.#standings.map((standing) => this.#apply(standing)));
    });
    return this.#changes;
  }

  async #apply(standing: Standing): Promise<void> {
    const { controllers } = this.#options;
    const runs = this.#leads && standing.lease.isHeld === false;
    if (runs === standing.runs) return;
    standing.runs = runs;
    if (runs) controllers.start(standing.program);
    else await controllers.end(standing.program);
  }
}
