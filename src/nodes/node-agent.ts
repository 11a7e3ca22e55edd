import type { Node } from '../model/generated/core-v1.ts';
import type { Writer } from '../reconcile/client.ts';
import { isManaged } from '../reconcile/managed.ts';
import { nodeOfAddress } from './addresses.ts';
import { KWOK_NODE, OFFLINE } from './annotations.ts';
import type { KubeletEvents } from './kubelet-events.ts';

/** What the simulation knows of a node whose kubelet it plays. */
export interface NodeAgent {
  readonly name: string;
  readonly uid: string;
  /** The number of the node, from which its addresses follow. */
  readonly index: number;
  /** Acts as the kubelet. */
  readonly client: Writer;
  readonly events: KubeletEvents;
  node: Node;
  /** The simulation holds the Lease of the node: no other client plays its kubelet. */
  isHeld: boolean;
  /** Its kubelet was told to stop. */
  isOffline: boolean;
  /** Its kubelet has reported the node and runs its Pods. */
  isRunning: boolean;
  /** When its Lease was last renewed, in milliseconds of the cluster. */
  renewedAt: number;
  /** When its status was last written, in milliseconds of the cluster. */
  reportedAt: number;
}

/** Whether a node is one of those that the simulation may have. */
export const isSimulated = ({ metadata = {} }: Node, allNodes: boolean): boolean =>
  isManaged(metadata) && (allNodes || metadata.annotations?.[KWOK_NODE] === 'fake');

export const isOffline = ({ metadata }: Node): boolean => metadata?.annotations?.[OFFLINE] === 'true';

export interface NodeAgentsOptions {
  /** A client that acts as the kubelet of a node. */
  client(node: string): Writer;
  /** The events of that kubelet. */
  events(node: string, client: Writer): KubeletEvents;
}

/** The nodes of the simulation, and their numbers. */
export class NodeAgents {
  readonly #options: NodeAgentsOptions;
  readonly #agents = new Map<string, NodeAgent>();
  readonly #numbers = new Set<number>();
  #nextNumber = 0;

  constructor(options: NodeAgentsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#agents.size;
  }

  get(name: string): NodeAgent | undefined {
    return this.#agents.get(name);
  }

  all(): Iterable<NodeAgent> {
    return this.#agents.values();
  }

  add(name: string, node: Node): NodeAgent {
    const client = this.#options.client(name);
    const agent: NodeAgent = {
      name,
      uid: node.metadata?.uid ?? '',
      index: this.#numberOf(node),
      client,
      events: this.#options.events(name, client),
      node,
      isHeld: false,
      isRunning: false,
      isOffline: false,
      renewedAt: Number.NEGATIVE_INFINITY,
      reportedAt: Number.NEGATIVE_INFINITY,
    };
    this.#agents.set(name, agent);
    this.#numbers.add(agent.index);
    return agent;
  }

  /** The lowest numbers that are free are given first. */
  delete({ name, index }: NodeAgent): void {
    this.#agents.delete(name);
    this.#numbers.delete(index);
    this.#nextNumber = Math.min(this.#nextNumber, index);
  }

  /** The number that the address of a node shows, or the next free one. */
  #numberOf({ status }: Node): number {
    const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
    const shown = nodeOfAddress(address);
    if (shown !== undefined && !this.#numbers.has(shown)) return shown;
    while (this.#numbers.has(this.#nextNumber)) this.#nextNumber += 1;
    return this.#nextNumber;
  }
}
