import type { Pod } from '../model/generated/core-v1.ts';
import { isManaged } from '../reconcile/managed.ts';
import { PODS } from '../reconcile/resources.ts';
import { ApiError } from '../status/index.ts';
import type { ClusterClock } from '../time/clock.ts';
import { nodeAddress, type PodAddresses } from './addresses.ts';
import type { NodeAgent } from './node-agent.ts';
import { type Advance, advance } from './pods/advance.ts';
import type { PodKnowledge } from './pods/knowledge.ts';
import { isFinished, recoveredKnowledge } from './pods/recover.ts';
import { type StatusPatch, statusPatch } from './pods/status-patch.ts';
import type { SimulationSettings } from './settings.ts';

export interface PodAgentsOptions {
  readonly settings: Pick<SimulationSettings, 'times' | 'missingImages'>;
  /** As {@link StatusSettings.observesGeneration}. */
  readonly observesGeneration: boolean;
  readonly addresses: PodAddresses;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  /** There is something to write for a Pod. */
  readonly onPending: (key: string) => void;
  /** Something is due for a Pod. */
  readonly onDue: (key: string) => void;
}

/** A write of a kubelet: the status of a Pod, its removal, or both in this order. */
interface Pending {
  readonly node: NodeAgent;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly patch: StatusPatch | undefined;
  readonly isRemoved: boolean;
}

/** What the simulation knows of a Pod that is not over. */
interface PodAgent {
  readonly uid: string;
  readonly node: NodeAgent;
  known: PodKnowledge;
  cancelTimer: (() => void) | undefined;
  pending: Pending | undefined;
  /** Problems that were reported. */
  problems: string;
}

/** The Pods of simulated nodes: keeps what their nodes know, and when something is due. */
export class PodAgents {
  readonly #options: PodAgentsOptions;
  readonly #agents = new Map<string, PodAgent>();

  constructor(options: PodAgentsOptions) {
    this.#options = options;
  }

  /** Number of Pods that are not over. */
  get size(): number {
    return this.#agents.size;
  }

  /** A Pod of a node whose kubelet runs has changed, or something is due. */
  advance(key: string, pod: Pod, node: NodeAgent): void {
    const uid = pod.metadata?.uid ?? '';
    const before = this.#agents.get(key);
    if (before !== undefined && (before.uid !== uid || before.node !== node)) this.forget(key);
    if (!isManaged(pod.metadata ?? {}) || this.#isOver(key, pod)) {
      this.forget(key);
      return;
    }
    const agent = this.#agents.get(key) ?? this.#adopt(key, uid, pod, node);
    const result = this.#step(agent, pod);
    agent.known = result.known;
    this.#setTimer(key, agent, result.due);
    this.#reportProblems(agent, pod, result.problems);
    const patch = result.status && statusPatch(pod, result.status);
    if (patch !== undefined || result.isRemoved) node.events.occurred(pod, result.occurrences);
    agent.pending = undefined;
    if (patch === undefined && !result.isRemoved) return;
    const { namespace = '', name = '' } = pod.metadata ?? {};
    agent.pending = { node, namespace, name, uid, patch, isRemoved: result.isRemoved };
    this.#options.onPending(key);
  }

  /** The Pod is gone, or is none of the simulation any more. */
  forget(key: string): void {
    const agent = this.#agents.get(key);
    if (agent === undefined) return;
    this.#agents.delete(key);
    agent.cancelTimer?.();
    for (const address of agent.known.addresses) this.#options.addresses.release(address);
  }

  /** The kubelets of a node, or of all nodes, do not run any more. */
  forgetNode(node?: NodeAgent): void {
    for (const [key, agent] of this.#agents) if (node === undefined || agent.node === node) this.forget(key);
  }

  /** Nothing happens to the Pods of a node until they are advanced again. */
  suspend(node: NodeAgent): void {
    for (const agent of this.#agents.values()) {
      if (agent.node !== node) continue;
      agent.cancelTimer?.();
      agent.cancelTimer = undefined;
      agent.pending = undefined;
    }
  }

  /** Writes what is pending for a Pod. @throws ApiError if it is to be tried again */
  async write(key: string): Promise<void> {
    const agent = this.#agents.get(key);
    const pending = agent?.pending;
    if (agent === undefined || pending === undefined) return;
    agent.pending = undefined;
    try {
      await send(pending);
    } catch (error) {
      if (isGone(error)) return;
      // What is still to be written, unless the Pod has changed meanwhile.
      agent.pending ??= pending;
      throw error;
    }
  }

  /** Whether a node has nothing to do for a Pod any more. One that another client has ended is still to be stopped. */
  #isOver(key: string, pod: Pod): boolean {
    const isEnded = this.#agents.get(key)?.known.end !== undefined || !this.#agents.has(key);
    return isFinished(pod) && pod.metadata?.deletionTimestamp === undefined && isEnded;
  }

  #adopt(key: string, uid: string, pod: Pod, node: NodeAgent): PodAgent {
    const { addresses, clusterClock, settings } = this.#options;
    const has = pod.status?.podIPs?.length;
    const own = pod.spec?.hostNetwork === true ? [nodeAddress(node.index)] : undefined;
    const known = recoveredKnowledge(
      pod,
      own ?? (has ? [] : addresses.take(node.index)),
      settings.times.restartBackOff,
      clusterClock.now(),
    );
    const agent: PodAgent = { uid, node, known, cancelTimer: undefined, pending: undefined, problems: '' };
    this.#agents.set(key, agent);
    return agent;
  }

  /** Reports annotations that say nothing, once. */
  #reportProblems(agent: PodAgent, pod: Pod, problems: readonly string[]): void {
    const text = problems.join('; ');
    if (text !== '' && text !== agent.problems) agent.node.events.problems(pod, problems);
    agent.problems = text;
  }

  #step({ node, known }: PodAgent, pod: Pod): Advance {
    const { settings, observesGeneration, clusterClock } = this.#options;
    return advance({
      pod,
      known,
      times: settings.times,
      missingImages: settings.missingImages,
      status: { hostAddresses: [nodeAddress(node.index)], observesGeneration },
      now: clusterClock.now(),
    });
  }

  #setTimer(key: string, agent: PodAgent, due: number | undefined): void {
    const { clusterClock, onDue } = this.#options;
    agent.cancelTimer?.();
    agent.cancelTimer =
      due === undefined ? undefined : clusterClock.after(due - clusterClock.now(), () => onDue(key));
  }
}

async function send({ node, namespace, name, uid, patch, isRemoved }: Pending): Promise<void> {
  const { client } = node;
  if (patch !== undefined)
    await client.patch(PODS, namespace, name, patch, { subresource: 'status', isStrategic: true });
  if (isRemoved)
    await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
}

/** Whether the Pod is not there any more, or is another one of the same name. */
const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 404 || error.code === 409);
