import type { PersistentVolumeClaim, Pod } from '../../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { nodeInfo } from '../../../src/scheduler/objects/node-info.ts';
import { pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import { podInfo } from '../../../src/scheduler/objects/pod-info.ts';
import type { ClusterEvent, EventKind } from '../../../src/scheduler/queue/cluster-event.ts';
import { randomLabels, randomTolerations } from '../situations/pod-parts.ts';
import type { Random } from '../situations/random.ts';
import type { Situation } from '../situations/situation.ts';
import { NO_GATES } from '../world.ts';

/** A situation after one change, and what it is to pods that wait. */
export interface ChangedSituation {
  readonly situation: Situation;
  readonly event: ClusterEvent;
}

type Objects = readonly KubernetesObject[];

const keyOf = ({ metadata }: KubernetesObject): string => `${metadata?.namespace}/${metadata?.name}`;

/** The kinds of events, with the objects of a situation that they are about. */
const KINDS: readonly (readonly [kind: EventKind, member: keyof Situation, (object: never) => unknown])[] = [
  ['node', 'nodes', nodeInfo],
  ['pod', 'pods', (pod: Pod) => podInfo(pod, NO_GATES)],
  ['claim', 'claims', (object) => object],
  ['volume', 'volumes', (object) => object],
  ['csiNode', 'csiNodes', (object) => object],
  ['capacity', 'capacities', (object) => object],
];
const DEVICE_KINDS = [
  ['resourceClaim', 'claims'],
  ['resourceSlice', 'slices'],
  ['deviceClass', 'classes'],
] as const;

/** Whether a pod on a node has a claim or volume, which therefore changes no more. */
const isInUse = ({ pods, claims }: Situation, { kind, name }: { kind: EventKind; name: string }): boolean => {
  const used = pods.flatMap(({ metadata, spec }) =>
    (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
      claims.filter((claim) => keyOf(claim) === `${metadata?.namespace}/${persistentVolumeClaim?.claimName}`),
    ),
  );
  if (kind === 'claim') return used.some(({ metadata }) => metadata?.name === name);
  return kind === 'volume' && used.some(({ spec }) => spec?.volumeName === name);
};

/** An object as another situation has it, with what never changes. */
function updated(kind: EventKind, before: KubernetesObject, after: KubernetesObject): KubernetesObject {
  if (kind === 'resourceClaim') return { ...after, spec: before['spec'] };
  if (kind !== 'claim') return after;
  const { volumeName } = (after as PersistentVolumeClaim).spec ?? {};
  const { volumeName: _, ...spec } = (before as PersistentVolumeClaim).spec ?? {};
  return { ...after, spec: { ...spec, ...(volumeName !== undefined && { volumeName }) } };
}

/** Adds, changes or removes an object as another situation has it. */
function changed(random: Random, kind: EventKind, objects: Objects, others: Objects) {
  const object = random.pick([...objects, ...others]);
  const before = objects.find((one) => keyOf(one) === keyOf(object));
  const other = random.pick([others.find((one) => keyOf(one) === keyOf(object)), undefined]);
  const after = before !== undefined && other !== undefined ? updated(kind, before, other) : other;
  const rest = objects.filter((one) => one !== before);
  return {
    name: object.metadata!.name!,
    before,
    after,
    objects: after === undefined ? rest : [...rest, after],
  };
}

/** Changes a situation at random; undefined if the change is none. @param other gives new objects */
export function change(random: Random, situation: Situation, other: Situation): ChangedSituation | undefined {
  if (random.happens(0.1)) return relabelled(random, situation);
  const devices = situation.devices;
  if (devices !== undefined && random.happens(0.5)) {
    const [kind, member] = random.pick(DEVICE_KINDS);
    const found = changed(random, kind, devices[member], other.devices![member]);
    const event = { kind, before: found.before, after: found.after } as ClusterEvent;
    return { situation: { ...situation, devices: { ...devices, [member]: found.objects } }, event };
  }
  const [kind, member, info] = random.pick(KINDS);
  const [objects, others] = [situation[member] as Objects, other[member] as Objects];
  if (objects.length + others.length === 0) return undefined;
  const found = changed(random, kind, objects, others);
  if (found.before === undefined && found.after === undefined) return undefined;
  if (isInUse(situation, { kind, name: found.name })) return undefined;
  // A pod on a node stays as it is, apart from its labels.
  if (kind === 'pod' && found.before !== undefined && found.after !== undefined) return undefined;
  const event = {
    kind,
    before: found.before && info(found.before as never),
    after: found.after && info(found.after as never),
  } as ClusterEvent;
  return { situation: { ...situation, [member]: found.objects }, event };
}

function relabelled(random: Random, situation: Situation): ChangedSituation | undefined {
  if (situation.pods.length === 0) return undefined;
  const pod = random.pick(situation.pods);
  const after = { ...pod, metadata: { ...pod.metadata, labels: randomLabels(random) } };
  return {
    situation: { ...situation, pods: situation.pods.map((one) => (one === pod ? after : one)) },
    event: { kind: 'pod', before: podInfo(pod, NO_GATES), after: podInfo(after, NO_GATES) },
  };
}

/** Changes what may change of a pod without a node. */
export function changeSelf(random: Random, pod: Pod): { readonly pod: Pod; readonly event: ClusterEvent } {
  const after: Pod = {
    metadata: { ...pod.metadata, labels: randomLabels(random) },
    spec: {
      ...pod.spec!,
      tolerations: [...(pod.spec?.tolerations ?? []), ...randomTolerations(random)],
    },
  };
  const event = {
    kind: 'self',
    before: pendingPod(pod, NO_GATES),
    after: pendingPod(after, NO_GATES),
  } as const;
  return { pod: after, event };
}
