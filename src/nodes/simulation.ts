import type { Lease } from '../model/generated/coordination-v1.ts';
import type { Node, Pod } from '../model/generated/core-v1.ts';
import type { Logger } from '../observability/log.ts';
import type { ObjectSource } from '../reader/object-source.ts';
import type { Client, Resource } from '../reconcile/client.ts';
import { LEASES, NODES, PODS } from '../reconcile/resources.ts';
import {
  controllerQueue,
  type WorkQueue,
  type WorkQueueObserver,
  type WorkResult,
} from '../reconcile/work-queue.ts';
import { ApiError } from '../status/index.ts';
import { type ClusterClock, type ProcessClock, processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import { type Family, nodeOfAddress, PodAddresses } from './addresses.ts';
import { KWOK_NODE } from './annotations.ts';
import { endOfLease, isHeldByAnother, LEASE_NAMESPACE, newLease, renewedSpec } from './lease.ts';
import { isOffline, isSimulated, type NodeAgent } from './node-agent.ts';
import { nodeStatusOf, nodeStatusPatch } from './node-status.ts';
import { PodAgents } from './pod-agents.ts';
import type { NodeTemplate, SimulationSettings } from './settings.ts';

/** Kubelets write so many objects at a time. */
const WORKERS = 32;
/** A kubelet writes its status so often, in milliseconds, although nothing changes. */
const REPORT_INTERVAL = 300_000;
/** Leases are renewed in so many groups, one after the other. */
const GROUPS = 10;
/** Keys of nodes in the queue begin with it; those of Pods have their namespace before. */
const NODE_KEY = '/';
/** Milliseconds of work between two turns of the event loop. */
const SLICE = 4;

export interface SimulationOptions {
  readonly settings: SimulationSettings;
  /** Families of the addresses of Pods, the primary one first. */
  readonly families: readonly Family[];
  /** Version that the kubelets report. */
  readonly version: string;
  /** A client that acts as the kubelet of a node. */
  client(node: string): Client;
  /** The kubelet of a node runs, or does not run any more. */
  onRunning(node: string, isRunning: boolean): void;
  /** Objects of the cluster. */
  objects(resource: Resource): ObjectSource;
  readonly clock: Pick<ProcessClock, 'now' | 'after' | 'every'>;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after' | 'onJump'>;
  readonly logger: Logger;
  observeQueue?(controller: string): WorkQueueObserver;
}

/** Plays the kubelets of simulated nodes: each registers, keeps its Lease and status, and runs its Pods. */
export class Simulation {
  readonly #options: SimulationOptions;
  readonly #nodes: ObjectSource;
  readonly #pods: ObjectSource;
  readonly #leases: ObjectSource;
  readonly #queue: WorkQueue;
  readonly #podAgents: PodAgents;
  readonly #agents = new Map<string, NodeAgent>();
  readonly #addresses: PodAddresses;
  readonly #numbers = new Set<number>();
  /** The nodes of the settings that have not been created. */
  readonly #toCreate = new Map<string, NodeTemplate>();
  #nextNumber = 0;
  #group = 0;
  #stopTimers: (() => void)[] = [];
  #isStopped = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const { settings, clusterClock, families } = options;
    this.#nodes = options.objects(NODES);
    this.#pods = options.objects(PODS);
    this.#leases = options.objects(LEASES);
    this.#addresses = new PodAddresses(families);
    this.#queue = controllerQueue(options, 'node-simulation', (key) => this.#work(key), WORKERS);
    this.#podAgents = new PodAgents({
      settings,
      addresses: this.#addresses,
      clusterClock,
      onPending: (key) => this.#queue.add(key),
      onDue: (key) => this.#due(key),
    });
    this.#nodes.onChange((name, node) => this.#nodeChanged(name, node?.object as Node | undefined));
    this.#pods.onChange((key, pod, previous) => {
      const object = pod?.peek() as Pod | undefined;
      if (previous === undefined) this.#observe(object);
      this.#podChanged(key, object);
    });
    this.#leases.onChange((key, lease) => {
      const [namespace, name = ''] = key.split('/');
      if (namespace === LEASE_NAMESPACE) this.#leaseChanged(name, lease?.peek() as Lease | undefined);
    });
  }

  /** Starts the kubelets, and creates the nodes that the settings name. */
  async start(): Promise<void> {
    const { settings, clock, clusterClock } = this.#options;
    for (const source of [this.#leases, this.#nodes, this.#pods]) source.start();
    for (const source of [this.#leases, this.#nodes, this.#pods]) await source.synced;
    if (this.#isStopped) return;
    this.#queue.start();
    for (const template of settings.nodes) {
      this.#toCreate.set(template.name, template);
      this.#queue.add(NODE_KEY + template.name);
    }
    // Heartbeats follow the cluster's time, but time that it jumps over has none.
    this.#stopTimers = [
      clock.every(settings.leaseInterval / GROUPS, () => this.#renewGroup()),
      clusterClock.onJump(() => this.#renewAll()),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stopTimers) stop();
    await Promise.all([this.#nodes.stop(), this.#pods.stop(), this.#leases.stop()]);
    await this.#queue.stop();
    for (const agent of this.#agents.values()) this.#setRunning(agent, false);
    this.#podAgents.forgetNode();
  }

  #nodeChanged(name: string, node: Node | undefined): void {
    const known = this.#agents.get(name);
    if (known !== undefined && (node === undefined || known.uid !== node.metadata?.uid))
      this.#dropNode(known);
    if (node === undefined) return;
    if (!isSimulated(node, this.#options.settings.allNodes)) {
      if (known !== undefined) this.#dropNode(known);
      return;
    }
    const agent = this.#agents.get(name) ?? this.#addNode(name, node);
    agent.node = node;
    if (isOffline(node) !== agent.isOffline) {
      agent.isOffline = isOffline(node);
      if (agent.isOffline) this.#suspend(agent);
    }
    this.#queue.add(NODE_KEY + name);
  }

  #addNode(name: string, node: Node): NodeAgent {
    const agent: NodeAgent = {
      name,
      uid: node.metadata?.uid ?? '',
      index: this.#numberOf(node),
      client: this.#options.client(name),
      node,
      isHeld: false,
      isRunning: false,
      isOffline: false,
      renewedAt: Number.NEGATIVE_INFINITY,
      reportedAt: Number.NEGATIVE_INFINITY,
      cancelTimer: undefined,
    };
    this.#agents.set(name, agent);
    this.#numbers.add(agent.index);
    return agent;
  }

  /** The number that the address of a node shows, or the next free one. */
  #numberOf({ status }: Node): number {
    const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
    const shown = nodeOfAddress(address);
    if (shown !== undefined && !this.#numbers.has(shown)) return shown;
    while (this.#numbers.has(this.#nextNumber)) this.#nextNumber += 1;
    return this.#nextNumber;
  }

  /** The kubelet of a node stops to run. */
  #suspend(agent: NodeAgent): void {
    this.#setRunning(agent, false);
    this.#podAgents.suspend(agent);
  }

  #dropNode(agent: NodeAgent): void {
    this.#agents.delete(agent.name);
    this.#numbers.delete(agent.index);
    this.#nextNumber = Math.min(this.#nextNumber, agent.index);
    agent.cancelTimer?.();
    this.#setRunning(agent, false);
    this.#podAgents.forgetNode(agent);
  }

  #setRunning(agent: NodeAgent, isRunning: boolean): void {
    agent.isRunning = isRunning;
    this.#options.onRunning(agent.name, isRunning);
  }

  #podChanged(key: string, pod: Pod | undefined): void {
    if (pod === undefined) {
      this.#podAgents.forget(key);
      return;
    }
    const agent = this.#agents.get(pod.spec?.nodeName ?? '');
    if (agent === undefined) return;
    if (agent.isRunning) this.#podAgents.advance(key, pod, agent);
  }

  /** Addresses of Pods that the simulation did not see begin are not given again. */
  #observe(pod: Pod | undefined): void {
    for (const { ip } of pod?.status?.podIPs ?? []) if (ip !== undefined) this.#addresses.observe(ip);
  }

  #due(key: string): void {
    const pod = this.#pods.get(key) as Pod | undefined;
    if (pod !== undefined) this.#podChanged(key, pod);
  }

  /** Another client has taken the Lease of a node, or has given it up. */
  #leaseChanged(name: string, lease: Lease | undefined): void {
    const agent = this.#agents.get(name);
    if (agent === undefined) return;
    const isForeign = lease !== undefined && isHeldByAnother(lease, name, this.#options.clusterClock.now());
    if (isForeign === agent.isHeld) this.#queue.add(NODE_KEY + name);
  }

  #renewGroup(): void {
    this.#group = (this.#group + 1) % GROUPS;
    for (const agent of this.#agents.values())
      if (agent.index % GROUPS === this.#group && agent.isHeld) this.#queue.add(NODE_KEY + agent.name);
  }

  #renewAll(): void {
    for (const agent of this.#agents.values()) if (agent.isHeld) this.#queue.add(NODE_KEY + agent.name);
  }

  async #work(key: string): Promise<WorkResult> {
    if (key.startsWith(NODE_KEY)) return this.#workOnNode(key.slice(NODE_KEY.length));
    await this.#podAgents.write(key);
    return 'done';
  }

  async #workOnNode(name: string): Promise<WorkResult> {
    await this.#create(name);
    const agent = this.#agents.get(name);
    if (agent === undefined) return 'done';
    if (agent.isOffline || !(await this.#keepLease(agent))) return 'done';
    await this.#report(agent);
    const isCurrent = this.#agents.get(name) === agent && agent.isHeld && !agent.isOffline;
    if (agent.isRunning || !isCurrent) return 'done';
    this.#setRunning(agent, true);
    await this.#runPods(agent);
    return 'done';
  }

  /** Creates a node that the settings name, once: one that is deleted later stays away, as with a kubelet. */
  async #create(name: string): Promise<void> {
    const template = this.#toCreate.get(name);
    if (template !== undefined && !this.#nodes.has(name)) {
      try {
        await this.#options.client(name).create(NODES, nodeOf(template));
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    this.#toCreate.delete(name);
  }

  /** Takes or renews the Lease of a node. @returns whether the simulation holds it */
  async #keepLease(agent: NodeAgent): Promise<boolean> {
    const { clusterClock, settings } = this.#options;
    const now = clusterClock.now();
    const { name, client } = agent;
    const lease = this.#leases.get(`${LEASE_NAMESPACE}/${name}`) as Lease | undefined;
    if (lease !== undefined && isHeldByAnother(lease, name, now)) {
      this.#suspend(agent);
      this.#podAgents.forgetNode(agent);
      agent.isHeld = false;
      agent.cancelTimer?.();
      agent.cancelTimer = clusterClock.after(endOfLease(lease) - now, () => this.#queue.add(NODE_KEY + name));
      return false;
    }
    const isDue = Math.abs(now - agent.renewedAt) >= settings.leaseInterval * 0.95;
    if (agent.isHeld && !isDue) return true;
    try {
      if (lease === undefined) await client.create(LEASES, newLease(agent.node, now));
      else await client.patch(LEASES, LEASE_NAMESPACE, name, renewal(lease, name, now));
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) throw new Error('the Lease has changed');
      throw error;
    }
    agent.renewedAt = now;
    agent.isHeld = true;
    return true;
  }

  /** Writes the status of a node if it differs, or if it is time. */
  async #report(agent: NodeAgent): Promise<void> {
    const { settings, version, clusterClock } = this.#options;
    const now = clusterClock.now();
    const { node, index, client, name } = agent;
    const wanted = nodeStatusOf({ node, index, capacity: settings.capacity, version, now });
    const patch = nodeStatusPatch(node, wanted, now - agent.reportedAt >= REPORT_INTERVAL);
    if (patch === undefined) return;
    await client.patch(NODES, '', name, patch, { subresource: 'status', isStrategic: true });
    agent.reportedAt = now;
  }

  /** Advances all Pods of a node whose kubelet has just started. */
  async #runPods(agent: NodeAgent): Promise<void> {
    let slice = processClock.monotonic();
    for (const [key, object] of this.#pods.entries()) {
      const pod = object.object as Pod;
      if (pod.spec?.nodeName === agent.name) this.#podChanged(key, pod);
      if (processClock.monotonic() - slice < SLICE) continue;
      await yieldToEventLoop();
      if (!agent.isRunning) return;
      slice = processClock.monotonic();
    }
  }
}

/** A renewal; another holder's Lease that has ended is taken only as it is. */
function renewal(lease: Lease, name: string, now: number): object {
  const isOwn = lease.spec?.holderIdentity === name;
  const { resourceVersion } = lease.metadata ?? {};
  return { ...(!isOwn && { metadata: { resourceVersion } }), spec: renewedSpec(name, now) };
}

const nodeOf = ({ name, labels, annotations, taints, unschedulable, capacity }: NodeTemplate): Node => ({
  metadata: { name, labels: { ...labels }, annotations: { [KWOK_NODE]: 'fake', ...annotations } },
  spec: { ...(taints.length > 0 && { taints: [...taints] }), ...(unschedulable && { unschedulable }) },
  status: { capacity: { ...capacity }, allocatable: { ...capacity } },
});

const hasCode = (error: unknown, code: number): boolean => error instanceof ApiError && error.code === code;
const isConflict = (error: unknown): boolean => hasCode(error, 409);
const isNotFound = (error: unknown): boolean => hasCode(error, 404);
