import type { DurationValue, TimeValue } from '../composition/clusters/cluster-time.ts';
import type { FaultState } from '../faults/faults.ts';
import type { FaultRule } from '../faults/rule.ts';
import type { InProcessFetch } from './fetch.ts';

export type { DurationValue, TimeValue } from '../composition/clusters/cluster-time.ts';
export type { FaultState } from '../faults/faults.ts';
export type { FaultRule } from '../faults/rule.ts';

/**
 * The time that the objects of a cluster mean: timestamps, times to live, schedules, tokens. Deadlines, retries after
 * errors, timeouts of watches and certificates follow the time of the process.
 */
export interface TestClock {
  now(): Date;
  readonly isFrozen: boolean;
  /** Stops the time. */
  freeze(): void;
  /** Lets the time run as fast as that of the process. */
  run(): void;
  /**
   * Moves the time forward. Timers fire in order on the way, each after the cluster has come to rest. Resolves when it is
   * at rest at the new time.
   * @throws RangeError for what is no duration, Error if the cluster does not come to rest within 30 s
   */
  advance(duration: DurationValue): Promise<void>;
  /**
   * Sets the time at once, as that of a machine which has slept: timers that are due by then fire in order, at the new
   * time. Resolves when the cluster is at rest. @throws RangeError for what is no time, Error as {@link advance}
   */
  set(time: TimeValue): Promise<void>;
}

/** The rules by which faults happen to the requests of a cluster, each with what it has done. */
export interface TestFaults {
  /** Adds a rule; of several that concern a request the first one counts. @returns its id @throws FaultRuleError */
  add(rule: FaultRule): string;
  /** @returns whether there was such a rule */
  remove(id: string): boolean;
  clear(): void;
  list(): FaultState[];
}

/**
 * A cluster for one test: in memory, without files until the kubeconfig file is read. The first one of its server
 * listens on a free port; its forks are served below paths of that port. A cluster that is not stopped does not keep
 * the process alive; its files are removed at exit.
 */
export interface TestCluster {
  /** `https://127.0.0.1:port`, with the path of a fork: `https://127.0.0.1:port/clusters/name` */
  readonly url: string;
  /** Path of an administrator's kubeconfig; reading it writes the file. */
  readonly kubeconfigFile: string;
  /** Content of the kubeconfig, for `KubeConfig.loadFromString`. */
  readonly kubeconfig: string;
  /** PEM of the CA certificate. */
  readonly caBundle: string;
  /** The latest 1,000 log lines of the server; errors begin with `E`, warnings with `W`. */
  readonly log: readonly string[];
  /** Sends requests as the administrator, without a socket. Paths are those of the cluster, without its path in the server. */
  readonly fetch: InProcessFetch;
  readonly clock: TestClock;
  /** Faults that happen to requests of this cluster. A fork has none at first. */
  readonly faults: TestFaults;
  /** Creates a namespace with a unique name, for tests that share a cluster. */
  createNamespace(prefix?: string): Promise<string>;
  /** Resolves when the cluster does nothing of its own accord: controllers have done what there was to do. */
  quiescent(): Promise<void>;
  /**
   * Starts a cluster with the present state of this one. The two go on for themselves, each with credentials, a clock
   * and versions of its own.
   * @throws ConfigurationError unless objects are in memory
   */
  fork(): Promise<TestCluster>;
  /**
   * Starts a cluster that shows a past state of this one and cannot be changed.
   * @param point a resource version, as a number or its text, or a time
   * @throws ConfigurationError unless objects are in memory, CompactedError and FutureRevisionError for a point without
   * history
   */
  at(point: number | string | Date): Promise<TestCluster>;
  /**
   * Takes the first state again: that of the parent when it was forked, or that at the start. Versions go on above all
   * that were handed out, and watches end with 410. Resolves when the cluster serves that state.
   * @throws ConfigurationError unless objects are in memory
   */
  reset(): Promise<void>;
  /** Closes watches and stops the cluster; with the first one of a server its forks too. Idempotent. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
