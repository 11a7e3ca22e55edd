import { type Labels, labelOf } from '../objects/label-matcher.ts';
import type { NodeState } from './node-state.ts';

const REGIONS = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'];
const ZONES = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'];

/** Nodes with the same text are in the same zone; empty without region and zone. */
export function zoneOf(labels: Labels): string {
  const [region = '', zone = ''] = [REGIONS, ZONES].map((keys) =>
    keys.map((key) => labelOf(labels, key)).find((value) => value !== undefined),
  );
  return region === '' && zone === '' ? '' : `${region}\0${zone}`;
}

/** Takes one node of each zone in turn, so that a share of the list has nodes of all zones. */
export function interleaveZones(nodes: Iterable<NodeState>): NodeState[] {
  const zones = new Map<string, NodeState[]>();
  for (const node of nodes) {
    const zone = zoneOf(node.labels);
    const inZone = zones.get(zone);
    if (inZone === undefined) zones.set(zone, [node]);
    else inZone.push(node);
  }
  if (zones.size === 1) return [...zones.values()][0]!;
  const order: NodeState[] = [];
  const most = Math.max(0, ...Array.from(zones.values(), ({ length }) => length));
  for (let turn = 0; turn < most; turn++)
    for (const inZone of zones.values()) if (turn < inZone.length) order.push(inZone[turn]!);
  return order;
}
