import type { Pod } from '../../src/model/generated/core-v1.ts';
import { storageClassOf } from '../../src/reconcile/volumes/annotations.ts';
import type { Budget } from '../../src/scheduler/decision/preemption/budgets.ts';
import type { DeviceView } from '../../src/scheduler/devices/device-view.ts';
import { type Labels, labelMatcher } from '../../src/scheduler/objects/label-matcher.ts';
import { nodeInfo } from '../../src/scheduler/objects/node-info.ts';
import type { OwnerView } from '../../src/scheduler/objects/owner-selector.ts';
import { isFinished, type PodInfo, podInfo } from '../../src/scheduler/objects/pod-info.ts';
import type { RequestRules } from '../../src/scheduler/objects/pod-requests.ts';
import { ClusterState } from '../../src/scheduler/state/cluster-state.ts';
import type { SchedulingView } from '../../src/scheduler/view.ts';
import type { VolumeView } from '../../src/scheduler/volumes/volume-view.ts';
import type { Situation } from './situations/situation.ts';

export const NO_GATES: RequestRules = { podLevelResources: false, resizedPods: false };

const named = <Kind extends { metadata?: { name?: string; namespace?: string } }>(
  objects: readonly Kind[],
  name: string,
  namespace?: string,
): Kind | undefined =>
  objects.find(({ metadata }) => metadata?.name === name && metadata.namespace === namespace);

/** What the scheduler sees of a situation. */
export function viewOf(
  situation: Situation,
  nominated: ReadonlyMap<string, readonly Pod[]> = new Map(),
): SchedulingView {
  const state = new ClusterState();
  for (const node of situation.nodes) state.setNode(nodeInfo(node));
  for (const pod of situation.pods)
    if (!isFinished(pod)) state.place(podInfo(pod, NO_GATES), pod.spec!.nodeName!);
  const nominations = new Map<string, readonly PodInfo[]>(
    Array.from(nominated, ([node, pods]) => [node, pods.map((pod) => podInfo(pod, NO_GATES))]),
  );
  const namespaceLabels = new Map(
    situation.namespaces.map(({ metadata }) => [metadata!.name!, metadata!.labels ?? {}] as const),
  );
  return {
    state,
    namespaces: {
      labels: (namespace) => namespaceLabels.get(namespace) ?? {},
      entries: () => namespaceLabels.entries(),
    },
    owners: ownersOf(situation),
    volumes: volumesOf(situation),
    budgets: { budgets: () => situation.budgets.map(budgetOf) },
    nominations: { on: (node) => nominations.get(node) ?? [] },
    devices: situation.devices && devicesOf(situation.devices),
  };
}

const ownersOf = ({ services, replicaSets }: Situation): OwnerView => ({
  serviceSelectors: (namespace) =>
    services
      .filter(({ metadata, spec }) => metadata?.namespace === namespace && spec?.selector !== undefined)
      .map(({ spec }) => spec!.selector as Labels),
  replicationController: () => undefined,
  replicaSet: (namespace, name) => named(replicaSets, name, namespace)?.spec?.selector,
  statefulSet: () => undefined,
});

const volumesOf = (situation: Situation): VolumeView => ({
  claim: (namespace, name) => named(situation.claims, name, namespace),
  volume: (name) => named(situation.volumes, name),
  volumesOfClass: (name) => situation.volumes.filter((volume) => storageClassOf(volume) === name),
  storageClass: (name) => named(situation.storageClasses, name),
  csiNode: (name) => named(situation.csiNodes, name),
  csiDriver: (name) => named(situation.csiDrivers, name),
  capacities: () => situation.capacities,
  attachmentsOf: () => [],
});

const budgetOf = ({ metadata, spec, status }: Situation['budgets'][number]): Budget => ({
  namespace: metadata?.namespace ?? '',
  selector: labelMatcher(spec?.selector),
  disruptionsAllowed: status?.disruptionsAllowed ?? 0,
  disruptedPods: new Set(Object.keys(status?.disruptedPods ?? {})),
});

/** Set by tests that need selectors, which load the engine for expressions. */
export const selecting: { selects: DeviceView['selects'] } = {
  selects() {
    throw new Error('the test has no selectors');
  },
};

function devicesOf({ classes, slices, claims }: NonNullable<Situation['devices']>): DeviceView {
  const taken = new Set(
    claims.flatMap(({ status }) =>
      (status?.allocation?.devices?.results ?? []).map(
        ({ driver, pool, device }) => `${driver}/${pool}/${device}`,
      ),
    ),
  );
  return {
    rules: {
      allowsAdminAccess: false,
      allIsAtLeastOne: false,
      choosesOncePerClaim: false,
      usesWholePools: false,
      checksTaints: false,
      sharesCounters: false,
    },
    claim: (namespace, name) => named(claims, name, namespace),
    isPending: () => false,
    isTaken: ({ driver, pool, device }) => taken.has(`${driver}/${pool}/${device}`),
    deviceClass: (name) => named(classes, name),
    slicesOfNode: (node) => slices.filter(({ spec }) => spec?.nodeName === node),
    slicesOfPool: (driver, pool) =>
      slices.filter(({ spec }) => spec?.driver === driver && spec?.pool?.name === pool),
    sharedSlices: () => slices.filter(({ spec }) => (spec?.nodeName ?? '') === ''),
    selects: (...parts) => selecting.selects(...parts),
  };
}
