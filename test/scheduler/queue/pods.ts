import type { Node, Pod, PodSpec } from '../../../src/model/generated/core-v1.ts';
import { type NodeInfo, nodeInfo } from '../../../src/scheduler/objects/node-info.ts';
import { type PendingPod, pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import { type PodInfo, podInfo } from '../../../src/scheduler/objects/pod-info.ts';
import { NO_GATES } from '../world.ts';

const podObject = (name: string, spec: PodSpec, metadata: Pod['metadata']): Pod => ({
  metadata: { name, namespace: 'one', uid: `uid of ${name}`, ...metadata },
  spec,
});

/** A pod of the namespace `one` without a node. */
export const waiting = (name: string, spec: PodSpec = {}, metadata: Pod['metadata'] = {}): PendingPod =>
  pendingPod(podObject(name, spec, metadata), NO_GATES);

/** A pod of the namespace `one` on a node. */
export const running = (name: string, spec: PodSpec = {}, metadata: Pod['metadata'] = {}): PodInfo =>
  podInfo(podObject(name, { nodeName: 'node', ...spec }, metadata), NO_GATES);

/** A node with 4 CPUs, unless the parts say otherwise. */
export const node = ({ metadata, spec, status }: Node = {}): NodeInfo =>
  nodeInfo({
    metadata: { name: 'node', ...metadata },
    spec: { ...spec },
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' }, ...status },
  });

/** A container that requests something. */
export const requesting = (requests: Record<string, string>): PodSpec => ({
  containers: [{ name: 'main', resources: { requests } }],
});
