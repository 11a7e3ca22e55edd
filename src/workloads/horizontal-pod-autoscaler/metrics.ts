import type { CrossVersionObjectReference } from '../../model/generated/autoscaling-v2.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { LabelSelector } from '../../model/generated/meta-v1.ts';

/** What one Pod was measured to use. */
export interface PodMetric {
  /** In thousandths. */
  readonly value: bigint;
  /** End of the measurement, milliseconds since the epoch. */
  readonly at: number;
  /** Length of the measurement, milliseconds. */
  readonly window: number;
}

/** By the names of Pods. */
export type PodMetricsByName = Map<string, PodMetric>;

/** The Pods of an autoscaler. */
export interface PodSelection {
  readonly namespace: string;
  /** As text: `a=b,c in (d,e)`. */
  readonly selector: string;
  /** The same, of the server's own Pods. */
  readonly pods: readonly Pod[];
}

/** A measurement that is not of Pods' resources. */
export interface NamedMetric {
  readonly name: string;
  readonly selector: LabelSelector | undefined;
}

/** Where measurements come from. All reject with an Error that says why there are none. */
export interface Metrics {
  /** The usage of a resource. @param container that of one container; else of all of each Pod */
  resource(selection: PodSelection, resource: string, container?: string): Promise<PodMetricsByName>;
  pods(selection: PodSelection, metric: NamedMetric): Promise<PodMetricsByName>;
  /** A value of one object, in thousandths. */
  object(namespace: string, object: CrossVersionObjectReference, metric: NamedMetric): Promise<bigint>;
  /** The sum of values from outside of the cluster, in thousandths. */
  external(namespace: string, metric: NamedMetric): Promise<bigint>;
}
