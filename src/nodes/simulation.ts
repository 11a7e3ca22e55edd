import type { Lease } from '../model/generated/coordination-v1.ts';
import type { Node, Pod } from '../model/generated/core-v1.ts';
import type { Logger } from '../observability/log.ts';
import type { IndexedSource } from '../reader/object-source.ts';
import type { Client, Resource } from '../reconcile/client.ts';
import { BY_NODE } from '../reconcile/indexes.ts';
import { LEASES, NODES, PODS } from '../reconcile/resources.ts';
import {
  controllerQueue,
  type WorkQueue,
  type WorkQueueObserver,
  type WorkResult,
} from '../reconcile/work-queue.ts';
import { type ClusterClock, type ProcessClock, processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import { type Family, PodAddresses } from './addresses.ts';
import { createDefaultStorageClass } from './default-storage-class.ts';
import { registerNode, renewLease, reportStatus } from './kubelet.ts';
import { endOfLease, isHeldByAnother, LEASE_NAMESPACE } from './lease.ts';
import { isOffline, isSimulated, type NodeAgent, NodeAgents, type NodeAgentsOptions } from './node-agent.ts';
import { PodAgents } from './pod-agents.ts';
import type { NodeTemplate, SimulationSettings } from './settings.ts';

/** Kubelets write so many objects at a time. */
const WORKERS = 32;
/** Keys of nodes in the queue begin with it; those of Pods have their namespace before. */
const NODE_KEY = '/';
const STORAGE_CLASS_KEY = 'storage-class';
/** Leases are renewed in groups of about a hundred, at most ten times in an interval: writes at once cost less. */
const GROUP_SIZE = 100;
const MOST_GROUPS = 10;
/** A Lease is renewed from this share of its interval on. */
const DUE = 0.95;
/** Milliseconds of work between two turns of the event loop. */
const SLICE = 4;

export interface SimulationOptions extends NodeAgentsOptions {
  readonly settings: SimulationSettings;
  /** Families of the addresses of Pods, the primary one first. */
  readonly families: readonly Family[];
  /** Statuses of Pods say for which generation they are. */
  readonly observesGeneration: boolean;
  /** Version that the kubelets report. */
  readonly version: string;
  /** Creates what kubelets may not. */
  readonly administrator: Client;
  /** The kubelet of a node runs, or does not run any more. */
  onRunning(node: string, isRunning: boolean): void;
  /** Objects of the cluster. */
  objects(resource: Resource): IndexedSource;
  readonly clock: Pick<ProcessClock, 'now' | 'after' | 'every'>;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after' | 'onJump'>;
  readonly logger: Logger;
  observeQueue?(controller: string): WorkQueueObserver;
}

/** Plays the kubelets of simulated nodes: each registers, keeps its Lease and status, and runs its Pods. */
export class Simulation {
  readonly #options: SimulationOptions;
  readonly #nodes: IndexedSource;
  readonly #pods: IndexedSource;
  readonly #leases: IndexedSource;
  readonly #queue: WorkQueue;
  readonly #nodeAgents: NodeAgents;
  readonly #podAgents: PodAgents;
  readonly #addresses: PodAddresses;
  /** The nodes of the settings that have not been created. */
  readonly #toCreate: Map<string, NodeTemplate>;
  #tick = 0;
  #stopTimers: (() => void)[] = [];
  #isStopped = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const { settings, clusterClock, families } = options;
    this.#nodes = options.objects(NODES);
    this.#pods = options.objects(PODS);
    this.#leases = options.objects(LEASES);
    this.#addresses = new PodAddresses(families);
    this.#toCreate = new Map(settings.nodes.map((template) => [template.name, template]));
    this.#queue = controllerQueue(options, 'node-simulation', (key) => this.#work(key), WORKERS);
    this.#nodeAgents = new NodeAgents(options);
    this.#podAgents = new PodAgents({
      settings,
      observesGeneration: options.observesGeneration,
      addresses: this.#addresses,
      clusterClock,
      onPending: (key) => this.#queue.add(key),
      onDue: (key) => this.#podChanged(key, this.#pods.read(key) as Pod | undefined),
    });
    this.#nodes.onChange((name, node) => this.#nodeChanged(name, node?.object as Node | undefined));
    this.#pods.onChange((key, pod, previous) => {
      const object = pod?.peek() as Pod | undefined;
      // Addresses of Pods that the simulation did not see begin are not given again.
      if (previous === undefined)
        for (const { ip = '' } of object?.status?.podIPs ?? []) this.#addresses.observe(ip);
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
    for (const name of this.#toCreate.keys()) this.#queue.add(NODE_KEY + name);
    if (settings.storageClass !== undefined) this.#queue.add(STORAGE_CLASS_KEY);
    // Heartbeats follow the cluster's time, but time that it jumps over has none.
    this.#stopTimers = [
      clock.every(settings.leaseInterval / MOST_GROUPS, () => this.#renewGroup()),
      clusterClock.onJump(() => this.#renewGroup(true)),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stopTimers) stop();
    await Promise.all([this.#nodes.stop(), this.#pods.stop(), this.#leases.stop()]);
    await this.#queue.stop();
    for (const agent of this.#nodeAgents.all()) this.#setRunning(agent, false);
    this.#podAgents.forgetNode();
  }

  #nodeChanged(name: string, node: Node | undefined): void {
    const known = this.#nodeAgents.get(name);
    const isOurs = node !== undefined && isSimulated(node, this.#options.settings.allNodes);
    if (known !== undefined && (!isOurs || known.uid !== node.metadata?.uid)) {
      this.#setRunning(known, false);
      this.#nodeAgents.delete(known);
      this.#podAgents.forgetNode(known);
    }
    if (!isOurs) return;
    const agent = this.#nodeAgents.get(name) ?? this.#nodeAgents.add(name, node);
    agent.node = node;
    agent.isOffline = isOffline(node);
    if (agent.isOffline && agent.isRunning) this.#setRunning(agent, false);
    this.#queue.add(NODE_KEY + name);
  }

  /** The kubelet of a node runs, or does not run any more: nothing happens to its Pods then. */
  #setRunning(agent: NodeAgent, isRunning: boolean): void {
    agent.isRunning = isRunning;
    if (!isRunning) this.#podAgents.suspend(agent);
    this.#options.onRunning(agent.name, isRunning);
  }

  #podChanged(key: string, pod: Pod | undefined): void {
    if (pod === undefined) {
      this.#podAgents.forget(key);
      return;
    }
    const agent = this.#nodeAgents.get(pod.spec?.nodeName ?? '');
    if (agent?.isRunning === true) this.#podAgents.advance(key, pod, agent);
  }

  /** Another client has taken the Lease of a node, or has given it up. */
  #leaseChanged(name: string, lease: Lease | undefined): void {
    const agent = this.#nodeAgents.get(name);
    if (agent === undefined) return;
    const isForeign = lease !== undefined && isHeldByAnother(lease, name, this.#options.clusterClock.now());
    if (isForeign === agent.isHeld) this.#queue.add(NODE_KEY + name);
  }

  #renewGroup(isAll = false): void {
    const groups = Math.min(MOST_GROUPS, Math.ceil(this.#nodeAgents.size / GROUP_SIZE));
    this.#tick = (this.#tick + 1) % MOST_GROUPS;
    for (const { name, index, isHeld } of this.#nodeAgents.all())
      if (isHeld && (isAll || index % groups === this.#tick)) this.#queue.add(NODE_KEY + name);
  }

  async #work(key: string): Promise<WorkResult> {
    const { administrator, settings } = this.#options;
    if (key.startsWith(NODE_KEY)) await this.#workOnNode(key.slice(NODE_KEY.length));
    else if (key === STORAGE_CLASS_KEY)
      await createDefaultStorageClass(administrator, settings.storageClass!);
    else await this.#podAgents.write(key);
    return 'done';
  }

  async #workOnNode(name: string): Promise<void> {
    const { settings, version, clusterClock } = this.#options;
    await this.#register(name);
    const agent = this.#nodeAgents.get(name);
    if (agent === undefined || agent.isOffline || !(await this.#keepLease(agent))) return;
    await reportStatus(agent, settings, version, clusterClock.now());
    const mayRun = this.#nodeAgents.get(name) === agent && agent.isHeld && !agent.isOffline;
    if (agent.isRunning || !mayRun) return;
    this.#setRunning(agent, true);
    await this.#runPods(agent);
  }

  /** Creates a node that the settings name, once: one that is deleted later stays away, as with a kubelet. */
  async #register(name: string): Promise<void> {
    const template = this.#toCreate.get(name);
    if (template === undefined) return;
    if (!this.#nodes.has(name)) await registerNode(this.#options.client(name), template);
    this.#toCreate.delete(name);
  }

  /** Takes or renews the Lease of a node. @returns whether the simulation holds it */
  async #keepLease(agent: NodeAgent): Promise<boolean> {
    const { clusterClock, settings } = this.#options;
    const now = clusterClock.now();
    const lease = this.#leases.read(`${LEASE_NAMESPACE}/${agent.name}`) as Lease | undefined;
    if (lease !== undefined && isHeldByAnother(lease, agent.name, now)) {
      this.#setRunning(agent, false);
      this.#podAgents.forgetNode(agent);
      agent.isHeld = false;
      this.#queue.addAfter(NODE_KEY + agent.name, endOfLease(lease) - now);
      return false;
    }
    const isDue = Math.abs(now - agent.renewedAt) >= settings.leaseInterval * DUE;
    if (!agent.isHeld || isDue) await renewLease(agent, lease, now);
    return true;
  }

  /** Advances all Pods of a node whose kubelet has just started. */
  async #runPods(agent: NodeAgent): Promise<void> {
    let slice = processClock.monotonic();
    for (const [key, object] of this.#pods.find(BY_NODE, agent.name)) {
      this.#podChanged(key, object.read() as Pod);
      if (processClock.monotonic() - slice < SLICE) continue;
      await yieldToEventLoop();
      if (!agent.isRunning) return;
      slice = processClock.monotonic();
    }
  }
}
