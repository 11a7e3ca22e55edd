import type { Node, Pod } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { BY_NODE } from '../../reconcile/indexes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { NODES, PODS } from '../../reconcile/resources.ts';
import type { WorkQueue, WorkResult } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import { type NodeHealth, observeHealth, silentAt, silentConditions } from './health.ts';
import { labelChanges } from './labels.ts';
import { conditionOf, type NodeRecord } from './node-record.ts';
import type { NodeLifecycleSettings } from './settings.ts';
import { changedTaints, NO_EXECUTE_KEYS, notReadyKey, taintChanges } from './taints.ts';
import { type Disruption, EvictionRate, judgeZones, type ZoneNodes, type ZoneState } from './zones.ts';

export interface NodeLifecycleOptions {
  readonly settings: NodeLifecycleSettings;
  readonly isLive: (node: string) => boolean;
  readonly nodes: IndexedSource;
  readonly pods: IndexedSource;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly queue: () => Pick<WorkQueue, 'add' | 'addAfter'>;
  /** Milliseconds since 1970, of the cluster. */
  readonly now: () => number;
}

/** Keys of the queue: what is done for one node, its Pods, one zone, or all of them. */
const KEYS = {
  /** The silence of all nodes. */
  silence: 'silence',
  /** The states of all zones. */
  zones: 'zones',
  node: (name: string): string => `node/${name}`,
  pods: (node: string): string => `pods/${node}`,
  evict: (zone: string): string => `evict/${zone}`,
};

/** A node as the controller knows it. */
interface KnownNode {
  record: NodeRecord;
  health: NodeHealth;
  renewTime: string;
  /** Its silence has lasted too long, and is to be written. */
  isSilent: boolean;
}

/** A zone: how fast its nodes are tainted, and which wait for it. */
interface KnownZone {
  readonly rate: EvictionRate;
  readonly waiting: Set<string>;
}

/** What the node lifecycle controller does, by the keys of its queue. */
export class NodeLifecycle {
  readonly #options: NodeLifecycleOptions;
  readonly #nodes = new Map<string, KnownNode>();
  /** Of nodes that are not known yet. */
  readonly #renewTimes = new Map<string, string>();
  readonly #zones = new Map<string, KnownZone>();
  #states: ReadonlyMap<string, ZoneState> = new Map();
  #unready = 0;

  constructor(options: NodeLifecycleOptions) {
    this.#options = options;
  }

  /** Whether Pods of any node are to be marked as not ready. */
  get hasUnreadyNodes(): boolean {
    return this.#unready > 0;
  }

  nodeChanged(record: NodeRecord, node: Node): void {
    const { now, queue } = this.#options;
    const { name } = record;
    const known = this.#nodes.get(name);
    if (known !== undefined && known.record.uid !== record.uid) this.nodeRemoved(name, undefined);
    const before = this.#nodes.get(name);
    const renewTime = before?.renewTime ?? this.#renewTimes.get(name) ?? '';
    const health = observeHealth(before?.health, record, renewTime, now());
    this.#renewTimes.delete(name);
    this.#nodes.set(name, { record, health, renewTime, isSilent: false });
    this.#unready += Number(isUnready(record)) - Number(before !== undefined && isUnready(before.record));
    if (before === undefined) this.#event(node, 'RegisteredNode', `Registered Node ${name} in Controller`);
    const isChanged = before?.record.ready !== record.ready || before?.record.zone !== record.zone;
    if (isChanged || before?.record.counts !== record.counts) queue().add(KEYS.zones);
    if (record.isOutdated || (record.ready === 'True' && record.noExecute.length > 0))
      queue().add(KEYS.node(name));
    if (isUnready(record) && !isTainted(record)) queue().add(KEYS.zones);
    // A node that has said something for the first time has another grace period.
    if (before === undefined || before.record.ready === undefined) queue().add(KEYS.silence);
  }

  nodeRemoved(name: string, node: Node | undefined): void {
    const known = this.#nodes.get(name);
    if (known === undefined) return;
    this.#nodes.delete(name);
    this.#unready -= Number(isUnready(known.record));
    if (node !== undefined) this.#event(node, 'RemovingNode', `Removing Node ${name} from Controller`);
    this.#options.queue().add(KEYS.zones);
  }

  leaseChanged(name: string, renewTime: string): void {
    const known = this.#nodes.get(name);
    if (known === undefined) {
      this.#renewTimes.set(name, renewTime);
      return;
    }
    known.health = observeHealth(known.health, known.record, renewTime, this.#options.now());
    known.renewTime = renewTime;
    known.isSilent = false;
  }

  /** A Pod was bound to a node. */
  podBound(node: string): void {
    const known = this.#nodes.get(node);
    if (known !== undefined && isUnready(known.record)) this.#options.queue().add(KEYS.pods(node));
  }

  async reconcile(key: string): Promise<WorkResult> {
    const slash = key.indexOf('/');
    const name = key.slice(slash + 1);
    switch (key.slice(0, slash < 0 ? undefined : slash)) {
      case 'silence':
        this.#judgeSilence();
        break;
      case 'zones':
        this.#judgeZones();
        break;
      case 'node':
        await this.#keepNode(name);
        break;
      case 'pods':
        await this.#markPods(name);
        break;
      default:
        await this.#taintNext(name);
    }
    return 'done';
  }

  #event(node: Node, reason: string, what: string): void {
    this.#options.events.record(NODES, node, 'Normal', reason, `Node ${node.metadata?.name} event: ${what}`);
  }

  /** Finds the nodes that have been silent for too long, and looks again when the next one may be. */
  #judgeSilence(): void {
    const { settings, isLive, queue, now } = this.#options;
    const time = now();
    let next = Number.POSITIVE_INFINITY;
    for (const [name, known] of this.#nodes) {
      if (known.isSilent) continue;
      if (silentAt(known.health, known.record, settings) <= time && isLive(name))
        known.health = { ...known.health, seenAt: time };
      const silent = silentAt(known.health, known.record, settings);
      if (silent > time) {
        next = Math.min(next, silent);
        continue;
      }
      known.isSilent = true;
      queue().add(KEYS.node(name));
    }
    if (!Number.isFinite(next)) {
      // A node that speaks again is judged from then on.
      if (this.#nodes.size > 0) next = time + settings.monitorGracePeriod;
      else return;
    }
    const { monitorPeriod } = settings;
    queue().addAfter(KEYS.silence, Math.ceil(next / monitorPeriod) * monitorPeriod - time);
  }

  /** Judges all zones, and finds the nodes that wait for a taint that evicts their Pods. */
  #judgeZones(): void {
    const { settings, now } = this.#options;
    const counts = new Map<string, { ready: number; notReady: number }>();
    for (const { record } of this.#nodes.values()) {
      if (!record.counts) continue;
      const zone = counts.get(record.zone) ?? { ready: 0, notReady: 0 };
      if (record.ready === 'True') zone.ready += 1;
      else zone.notReady += 1;
      counts.set(record.zone, zone);
    }
    const disruption = judgeZones(this.#states, counts, settings);
    this.#states = disruption.states;
    this.#follow(disruption, counts, now());
    for (const { waiting } of this.#zones.values()) waiting.clear();
    for (const [name, { record }] of this.#nodes) {
      if (!isUnready(record) || isTainted(record)) continue;
      // One of the two taints replaces the other at once.
      if (record.noExecute.length > 0 && !this.#isAllDown()) this.#options.queue().add(KEYS.node(name));
      else this.#zone(record.zone).waiting.add(name);
    }
    for (const [zone, { waiting }] of this.#zones)
      if (waiting.size > 0) this.#options.queue().add(KEYS.evict(zone));
  }

  #follow({ rates, begins, ends }: Disruption, zones: ReadonlyMap<string, ZoneNodes>, now: number): void {
    for (const zone of this.#zones.keys()) if (!zones.has(zone)) this.#zones.delete(zone);
    for (const [zone, rate] of rates) this.#zone(zone).rate.change(rate, now);
    if (begins)
      for (const [name, { record }] of this.#nodes)
        if (record.noExecute.length > 0) this.#options.queue().add(KEYS.node(name));
    if (ends) for (const known of this.#nodes.values()) known.health = { ...known.health, seenAt: now };
  }

  #isAllDown(): boolean {
    return this.#states.size > 0 && [...this.#states.values()].every((state) => state === 'full');
  }

  #zone(name: string): KnownZone {
    let zone = this.#zones.get(name);
    if (zone === undefined) {
      zone = { rate: new EvictionRate(this.#options.settings.evictionRate), waiting: new Set() };
      this.#zones.set(name, zone);
    }
    return zone;
  }

  /** Writes what a node lacks: that it is silent, taints by its conditions, and labels. */
  async #keepNode(name: string): Promise<void> {
    const known = this.#nodes.get(name);
    const node = this.#options.nodes.get(name) as Node | undefined;
    if (known === undefined || node === undefined) return;
    if (known.isSilent && (await this.#markSilent(node))) return;
    await this.#repair(node, known.record);
  }

  /** @returns whether something was written */
  async #markSilent(node: Node): Promise<boolean> {
    const { client, events, queue, now } = this.#options;
    const { name = '' } = node.metadata ?? {};
    const conditions = silentConditions(node, now());
    const wasReady = conditionOf(node, 'Ready')?.status === 'True';
    if (conditions.length === 0) return false;
    await patchAs(node, (metadata) =>
      client.patch(
        NODES,
        '',
        name,
        { metadata, status: { conditions } },
        { subresource: 'status', isStrategic: true },
      ),
    );
    if (wasReady) {
      events.record(NODES, node, 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
      queue().add(KEYS.pods(name));
    }
    return true;
  }

  async #repair(node: Node, { ready, noExecute }: NodeRecord): Promise<void> {
    const { client, now } = this.#options;
    const { name = '', labels = {} } = node.metadata ?? {};
    const olderLabels = labelChanges(labels);
    const isReplaced = ready === 'False' || ready === 'Unknown';
    const keeps = this.#isAllDown() ? [] : isReplaced ? [notReadyKey(ready)] : [];
    const wrong = noExecute.filter((key) => !keeps.includes(key));
    const byCondition = taintChanges(node) ?? { missing: [], surplus: [] };
    const withConditions = changedTaints(node, 'NoSchedule', byCondition, now());
    const missing = wrong.length > 0 ? keeps.filter((key) => !noExecute.includes(key)) : [];
    const taints = changedTaints(
      { spec: { taints: withConditions } },
      'NoExecute',
      { missing, surplus: wrong },
      now(),
    );
    const isTaintChanged = byCondition.missing.length + byCondition.surplus.length + wrong.length > 0;
    if (olderLabels === undefined && !isTaintChanged) return;
    await patchAs(node, (metadata) =>
      client.patch(NODES, '', name, {
        metadata: { ...metadata, ...(olderLabels && { labels: olderLabels }) },
        ...(isTaintChanged && { spec: { taints: taints.length > 0 ? taints : null } }),
      }),
    );
  }

  /** Taints the next node of a zone, if its rate allows it, so that its Pods are evicted. */
  async #taintNext(zone: string): Promise<void> {
    const { client, queue, nodes, now } = this.#options;
    const { rate, waiting } = this.#zone(zone);
    const [name] = waiting;
    if (name === undefined) return;
    const wait = rate.nextAt() - now();
    if (wait === Number.POSITIVE_INFINITY) return;
    if (wait > 0) {
      queue().addAfter(KEYS.evict(zone), wait);
      return;
    }
    const record = this.#nodes.get(name)?.record;
    const node = nodes.get(name) as Node | undefined;
    if (record !== undefined && node !== undefined && isUnready(record) && !isTainted(record)) {
      const key = notReadyKey(record.ready);
      const surplus = NO_EXECUTE_KEYS.filter((other) => other !== key);
      const taints = changedTaints(node, 'NoExecute', { missing: [key], surplus }, now());
      await patchAs(node, (metadata) => client.patch(NODES, '', name, { metadata, spec: { taints } }));
      rate.take(now());
    }
    waiting.delete(name);
    queue().add(KEYS.evict(zone));
  }

  /** The Pods of a node whose kubelet says nothing are not known to be ready. */
  async #markPods(name: string): Promise<void> {
    const { pods, client, events, now } = this.#options;
    const record = this.#nodes.get(name)?.record;
    if (record === undefined || !isUnready(record)) return;
    pods.start();
    await pods.synced;
    for (const [, { object }] of [...pods.find(BY_NODE, name)]) {
      const pod = object as Pod;
      const { namespace = '', name: podName = '', uid } = pod.metadata ?? {};
      const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
      if (ready === undefined || ready.status === 'False' || !isManaged(pod.metadata ?? {})) continue;
      const condition = { ...ready, status: 'False', lastTransitionTime: formatTime(now()) };
      const change = { metadata: { uid }, status: { conditions: [condition] } };
      try {
        await client.patch(PODS, namespace, podName, change, { subresource: 'status', isStrategic: true });
      } catch (error) {
        if (isNotFound(error)) continue;
        throw error;
      }
      events.record(PODS, pod, 'Warning', 'NodeNotReady', 'Node is not ready');
    }
  }
}

/** Whether a node is known not to be ready. */
const isUnready = (record: NodeRecord): record is NodeRecord & { readonly ready: 'False' | 'Unknown' } =>
  record.ready === 'False' || record.ready === 'Unknown';

/** Whether a node has the taint that evicts its Pods because it is not ready. */
const isTainted = ({ ready, noExecute }: NodeRecord & { readonly ready: 'False' | 'Unknown' }): boolean =>
  noExecute.length === 1 && noExecute[0] === notReadyKey(ready);

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 404;

/** Patches a node as it was read; one that has gone needs nothing. @throws ApiError 409 if it has changed */
async function patchAs(
  { metadata }: Node,
  patch: (metadata: { readonly uid: string; readonly resourceVersion: string }) => Promise<unknown>,
): Promise<void> {
  try {
    await patch({ uid: metadata?.uid ?? '', resourceVersion: metadata?.resourceVersion ?? '' });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
