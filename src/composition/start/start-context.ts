import type { Faults } from '../../faults/faults.ts';
import type { SimulationSettings } from '../../nodes/settings.ts';
import type { Logger, LogVerbosity } from '../../observability/log.ts';
import type { ConfiguredAuthorizer } from '../../options/documents/authorization.ts';
import type { Configuration } from '../../options/options.ts';
import type { ClusterClock } from '../../time/clock.ts';
import type { AdmissionSettings } from '../admission-configuration.ts';
import type { ReadEncryption } from '../encryption.ts';
import type { Parts } from '../parts.ts';
import type { ServerTermination } from '../server-termination.ts';

/** What a cluster has that is not the first one of its server. */
export interface FurtherCluster {
  readonly name: string;
  /** Precedes its paths for clients: `/clusters/NAME`. */
  readonly pathPrefix: string;
  /** The store has the objects of every cluster. */
  readonly isPrepared: boolean;
  /** Nothing in the store waits to be done: the loops start with the first change. */
  readonly isSettled: boolean;
  /** It shows a past state; not even the server changes anything in it. */
  readonly isReadOnly: boolean;
}

/** What was read before the first part starts. The phases of the start register their parts in {@link parts}. */
export interface StartContext {
  readonly configuration: Configuration;
  /** The optional controllers that run. */
  readonly selected: ReadonlySet<string>;
  readonly authorizers: readonly ConfiguredAuthorizer[];
  readonly admission: AdmissionSettings;
  readonly encryption: ReadEncryption | undefined;
  /** How nodes are simulated; undefined if none are. */
  readonly simulation: SimulationSettings | undefined;
  readonly logger: Logger;
  /** The clock of the cluster: all parts have the same one. */
  readonly clusterClock: ClusterClock;
  readonly parts: Parts;
  readonly termination: ServerTermination;
  /**
   * `rejecting` is set when requests are no longer accepted, `restarting` while the cluster starts again from the
   * state of a replaced store.
   */
  readonly lifecycle: { readonly draining: boolean; rejecting: boolean; restarting: boolean };
  readonly verbosity: LogVerbosity;
  /** The faults of the cluster; undefined where there are none. */
  readonly faults?: Faults | undefined;
  /** Undefined for the first cluster of a server. */
  readonly further?: FurtherCluster;
}
