import type { Pod } from '../../model/generated/core-v1.ts';

/** What a container was measured to use: quantities by the names of resources. */
export interface ContainerUsage {
  readonly name: string;
  readonly usage: Readonly<Record<string, string>>;
}

/** A measurement of a Pod, as metrics.k8s.io has it. */
export interface PodUsage {
  readonly pod: string;
  readonly namespace: string;
  readonly containers: readonly ContainerUsage[];
  /** End of the measurement, milliseconds since the epoch. */
  readonly at: number;
  /** Length of the measurement, milliseconds. */
  readonly window: number;
}

/** The measurements of Pods that the server itself plays; undefined for a Pod that is not measured. */
export type PodMetrics = (pod: Pod) => PodUsage | undefined;
