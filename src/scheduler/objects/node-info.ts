import type { Node, Taint } from '../../model/generated/core-v1.ts';
import { type Labels, NO_LABELS } from './label-matcher.ts';
import { quantities, type ResourceAmounts, resourceAmounts } from './resource-amounts.ts';

/** What the scheduler keeps of a node. */
export interface NodeInfo {
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  readonly allocatable: ResourceAmounts;
  /** How many pods it takes. */
  readonly allowedPods: number;
  /** Sizes in bytes by image name. */
  readonly images: ReadonlyMap<string, number>;
}

const NO_TAINTS: readonly Taint[] = [];

/** The compact form of a node; it holds labels and taints of the object. */
export function nodeInfo({ metadata = {}, spec = {}, status = {} }: Node): NodeInfo {
  const amounts = new Map(quantities(status.allocatable));
  const images = new Map<string, number>();
  for (const { names = [], sizeBytes = 0 } of status.images ?? [])
    for (const name of names) images.set(name, Number(sizeBytes));
  return {
    name: metadata.name ?? '',
    labels: metadata.labels ?? NO_LABELS,
    taints: spec.taints ?? NO_TAINTS,
    isUnschedulable: spec.unschedulable === true,
    allocatable: resourceAmounts(amounts),
    allowedPods: Math.ceil(amounts.get('pods') ?? 0),
    images,
  };
}
