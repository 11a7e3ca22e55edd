import type { Node } from '../model/generated/core-v1.ts';
import type { Client } from '../reconcile/client.ts';
import { isUnmanaged, KWOK_NODE, OFFLINE } from './annotations.ts';

/** Whether a node is one of those that the simulation may have. */
export const isSimulated = ({ metadata }: Node, allNodes: boolean): boolean =>
  !isUnmanaged(metadata?.annotations) && (allNodes || metadata?.annotations?.[KWOK_NODE] === 'fake');

export const isOffline = ({ metadata }: Node): boolean => metadata?.annotations?.[OFFLINE] === 'true';

/** What the simulation knows of a node whose kubelet it plays. */
export interface NodeAgent {
  readonly name: string;
  readonly uid: string;
  /** The number of the node, from which its addresses follow. */
  readonly index: number;
  /** Acts as the kubelet. */
  readonly client: Client;
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
  /** Cancels the wait for the end of another holder's Lease. */
  cancelTimer: (() => void) | undefined;
}
