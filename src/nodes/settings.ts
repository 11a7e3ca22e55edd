import type { Taint } from '../model/generated/core-v1.ts';
import type { PodTimes } from './pods/advance.ts';

/** Most nodes of a simulation. */
export const MOST_NODES = 10_000;

/** Amounts by resource name, as in the status of a node. */
export type Amounts = Readonly<Record<string, string>>;

/** A node that the simulation creates. */
export interface NodeTemplate {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  /** Also its allocatable amounts. */
  readonly capacity: Amounts;
}

/** What is simulated, and how. Times are milliseconds of the cluster. */
export interface SimulationSettings {
  readonly nodes: readonly NodeTemplate[];
  /** Every node of the cluster is simulated, not only those with kwok's annotation. */
  readonly allNodes: boolean;
  /** Capacity of nodes whose object says nothing. */
  readonly capacity: Amounts;
  readonly times: PodTimes;
  /** Images that cannot be pulled. */
  readonly missingImages: ReadonlySet<string>;
  /** Between two renewals of a node's Lease. */
  readonly leaseInterval: number;
  /** Whether Pods get an IPv6 address too; undefined: the families of the cluster's Services. */
  readonly ipv6: boolean | undefined;
  /** Name of the default StorageClass of a cluster that has no class; undefined: none is created. */
  readonly storageClass: string | undefined;
  /** Nodes write the events of a kubelet. */
  readonly events: boolean;
  /** What the logs of containers are whose Pods do not say it. */
  readonly logsContent: string | undefined;
}
