import type { DaemonSet } from '../../model/generated/apps-v1.ts';
import type { NodeAffinity, Pod } from '../../model/generated/core-v1.ts';
import { parseGoInt64 } from '../../model/go-integer.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { podFromTemplate } from '../../reconcile/pods/pod-control.ts';
import { DAEMON_SETS } from '../../reconcile/resources.ts';
import { daemonTolerations } from './tolerations.ts';

/** The hash of the revision that a Pod was made from. */
export const HASH_LABEL = 'controller-revision-hash';
/** The number of the template that a Pod was made from, which older releases used. */
const GENERATION_LABEL = 'pod-template-generation';
const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

const textOf = (values: Readonly<Record<string, string>> | undefined, name: string): string | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/** The number of the present template; undefined if the annotation is no number. */
function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = textOf(metadata?.annotations, GENERATION_ANNOTATION);
  const generation = text === undefined ? undefined : parseGoInt64(text);
  return typeof generation === 'bigint' ? String(generation) : undefined;
}

export const hashOf = ({ metadata }: Pod): string | undefined => textOf(metadata?.labels, HASH_LABEL);

/** Tells Pods of the present template from others. @param hash of the revision that records the template */
export function isUpdated(daemonSet: DaemonSet, hash: string): (pod: Pod) => boolean {
  const generation = templateGeneration(daemonSet);
  return (pod) =>
    hashOf(pod) === hash ||
    (generation !== undefined && textOf(pod.metadata?.labels, GENERATION_LABEL) === generation);
}

/** The Pod of a node, as it is created: the scheduler binds it, as an affinity for the node says. */
export function daemonPod(daemonSet: DaemonSet, hash: string, node: string): Pod {
  const { template = {} } = daemonSet.spec ?? {};
  const pod = podFromTemplate({ resource: DAEMON_SETS, object: daemonSet }, template);
  const generation = templateGeneration(daemonSet);
  const labels = {
    ...pod.metadata?.labels,
    ...(generation !== undefined && { [GENERATION_LABEL]: generation }),
    [HASH_LABEL]: hash,
  };
  const { affinity } = pod.spec ?? {};
  return {
    metadata: { ...pod.metadata, labels },
    spec: {
      ...pod.spec,
      affinity: { ...affinity, nodeAffinity: affinityFor(node, affinity?.nodeAffinity) },
      tolerations: daemonTolerations(pod.spec ?? {}),
    },
  };
}

/** The node replaces what the template requires, which the node meets. */
const affinityFor = (node: string, affinity: NodeAffinity | undefined): NodeAffinity => ({
  ...affinity,
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
  },
});

/** The node that a Pod is bound to, or made for; undefined if it does not say. */
function nodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? [])
    for (const { key, operator, values = [] } of matchFields)
      if (key === 'metadata.name' && operator === 'In') return values.length === 1 ? values[0] : undefined;
  return undefined;
}

/** Pods by their node, bound ones first, of these the oldest first. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

export function podsByNode(pods: readonly Pod[]): PodsByNode {
  const grouped = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node === undefined) continue;
    const known = grouped.get(node);
    if (known === undefined) grouped.set(node, [pod]);
    else known.push(pod);
  }
  for (const group of grouped.values()) if (group.length > 1) group.sort(byPlaceAndAge);
  return grouped;
}

function byPlaceAndAge(one: Pod, other: Pod): number {
  const unbound = ({ spec }: Pod): number => (spec?.nodeName ? 0 : 1);
  const created = ({ metadata }: Pod): number =>
    metadata?.creationTimestamp ? timeToMilliseconds(metadata.creationTimestamp) : 0;
  return (
    unbound(one) - unbound(other) ||
    created(one) - created(other) ||
    ((one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? -1 : 1)
  );
}
