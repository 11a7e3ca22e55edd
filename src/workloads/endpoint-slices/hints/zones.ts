import type { Node } from '../../../model/generated/core-v1.ts';
import {
  addQuantities,
  parseQuantity,
  type Quantity,
  quantitySign,
  scaledQuantity,
} from '../../../model/quantity.ts';

const ZONE_LABEL = 'topology.kubernetes.io/zone';
/** Nodes with any of these carry no workloads. */
const EXCLUDED_LABELS = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

const MILLI = -3;
const NOTHING: Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };

/** What endpoints and their hints need of a node. */
export interface ZoneNode {
  readonly zone: string | undefined;
  readonly isReady: boolean;
  readonly isExcluded: boolean;
  /** Allocatable processors. */
  readonly cpu: Quantity;
}

export function zoneNodeOf({ metadata, status }: Node): ZoneNode {
  const labels = metadata?.labels ?? {};
  const { cpu } = status?.allocatable ?? {};
  return {
    zone: (Object.hasOwn(labels, ZONE_LABEL) && labels[ZONE_LABEL]) || undefined,
    isReady: status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
    isExcluded: EXCLUDED_LABELS.some((label) => Object.hasOwn(labels, label)),
    cpu: cpu === undefined ? NOTHING : parseQuantity(cpu),
  };
}

/** The share of the processors that each zone has. */
export type ZoneShares = ReadonlyMap<string, number>;

/**
 * The shares of the zones of ready nodes; undefined if one of these nodes has no zone or no processors, or if there is
 * one zone only.
 */
export function zoneShares(nodes: Iterable<ZoneNode>): ZoneShares | undefined {
  const zones = new Map<string, Quantity>();
  let total = NOTHING;
  for (const { zone, isReady, isExcluded, cpu } of nodes) {
    if (isExcluded || !isReady) continue;
    if (zone === undefined || quantitySign(cpu) === 0) return undefined;
    total = addQuantities(total, cpu);
    zones.set(zone, addQuantities(zones.get(zone) ?? NOTHING, cpu));
  }
  if (zones.size < 2) return undefined;
  const milli = Number(scaledQuantity(total, MILLI));
  return new Map([...zones].map(([zone, cpu]) => [zone, Number(scaledQuantity(cpu, MILLI)) / milli]));
}
