import type { Taint } from '../../model/generated/core-v1.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import { type Amounts, MOST_NODES, type NodeTemplate } from '../settings.ts';
import type { MemberReader } from './member-reader.ts';

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const REGION = 'region-1';
const DEFAULT_PREFIX = 'node-';
const FIRST_LETTER = 'a'.charCodeAt(0);

export interface NodeDefaults {
  readonly capacity: Amounts;
  /** Number of zones over which nodes are spread; 0: nodes have none. */
  readonly zones: number;
  /** Number of nodes, instead of the one of the document. */
  readonly count: number | undefined;
}

/** The nodes of a document: a number of equal ones, or a list of nodes and groups of nodes. */
export function readNodes(members: MemberReader, defaults: NodeDefaults): NodeTemplate[] {
  const prefix = members.text('prefix') ?? DEFAULT_PREFIX;
  if (dns1123Subdomain(`${prefix}0`).length > 0)
    members.invalid('prefix', 'must be the begin of a node name, such as "node-"');
  const given = members.value('nodes');
  if (Array.isArray(given)) return [...listed(members, prefix, defaults)];
  const count = defaults.count ?? members.integer('nodes', 0, MOST_NODES) ?? 0;
  return Array.from({ length: Math.min(count, MOST_NODES + 1) }, (_, index) => ({
    name: `${prefix}${index}`,
    labels: labelsOf(`${prefix}${index}`, zoneOf(index, defaults.zones)),
    annotations: {},
    taints: [],
    unschedulable: false,
    capacity: defaults.capacity,
  }));
}

/** The nodes of a list, with those that a number adds to them. */
function listed(members: MemberReader, prefix: string, defaults: NodeDefaults): NodeTemplate[] {
  const nodes: NodeTemplate[] = [];
  const names = new Set<string>();
  for (const entry of members.objects('nodes') ?? []) {
    const name = entry.text('name');
    const count = entry.integer('count', 1, MOST_NODES) ?? 1;
    if (name === undefined)
      entry.missing('name', 'the name of the node, or the begin of the names with count');
    else if (dns1123Subdomain(name).length > 0)
      entry.invalid('name', 'must be a node name, such as "node-0"');
    const template = readTemplate(entry, defaults);
    const isGroup = entry.names().includes('count');
    for (let index = 0; index < count && nodes.length <= MOST_NODES; index += 1) {
      const nodeName = isGroup ? `${name}-${index}` : (name ?? '');
      if (names.has(nodeName)) entry.invalid('name', `names the node ${JSON.stringify(nodeName)} again`);
      names.add(nodeName);
      nodes.push(template(nodeName, nodes.length));
    }
    entry.end();
  }
  for (let index = 0; nodes.length < (defaults.count ?? 0); index += 1) {
    const name = `${prefix}${index}`;
    if (names.has(name)) continue;
    const labels = labelsOf(name, zoneOf(nodes.length, defaults.zones));
    nodes.push({
      name,
      labels,
      annotations: {},
      taints: [],
      unschedulable: false,
      capacity: defaults.capacity,
    });
  }
  return nodes;
}

type Template = (name: string, index: number) => NodeTemplate;

function readTemplate(entry: MemberReader, { capacity, zones }: NodeDefaults): Template {
  const zone = entry.text('zone');
  const labels = entry.texts('labels') ?? {};
  const annotations = entry.texts('annotations') ?? {};
  const unschedulable = entry.boolean('unschedulable') ?? false;
  const taints = (entry.objects('taints') ?? []).map(readTaint);
  const own = entry.object('capacity');
  const amounts = Object.fromEntries(
    (own?.names() ?? []).flatMap((name) => {
      const amount = own!.quantity(name);
      return amount === undefined ? [] : [[name, amount] as const];
    }),
  );
  return (name, index) => ({
    name,
    labels: { ...labelsOf(name, zone ?? zoneOf(index, zones)), ...labels },
    annotations,
    taints,
    unschedulable,
    capacity: { ...capacity, ...amounts },
  });
}

function readTaint(entry: MemberReader): Taint {
  const key = entry.text('key') ?? entry.missing('key', 'the key of the taint');
  const value = entry.text('value');
  const effect = entry.text('effect') ?? entry.missing('effect', `one of ${EFFECTS.join(', ')}`);
  if (effect !== undefined && !EFFECTS.includes(effect))
    entry.invalid('effect', `must be one of ${EFFECTS.join(', ')}`);
  entry.end();
  return { key, ...(value !== undefined && { value }), effect };
}

const zoneOf = (index: number, zones: number): string | undefined =>
  zones === 0 ? undefined : `zone-${String.fromCharCode(FIRST_LETTER + (index % zones))}`;

const labelsOf = (name: string, zone: string | undefined): Readonly<Record<string, string>> => ({
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'topology.kubernetes.io/region': REGION,
  ...(zone !== undefined && { 'topology.kubernetes.io/zone': zone }),
});
