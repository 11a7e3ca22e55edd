import type { Node, Pod, PodSpec } from '../../../src/model/generated/core-v1.ts';
import type { ServerOptions } from '../../../src/options/options.ts';
import { SimulatedCluster } from '../../nodes/simulated-cluster.ts';

/** A cluster with a scheduler and without nodes: a test creates those, and nothing runs there. */
export const startScheduled = (options: ServerOptions = {}): Promise<SimulatedCluster> =>
  SimulatedCluster.start({
    simulateNodes: 0,
    controllers: ['serviceaccount-controller', 'kube-scheduler'],
    disableAdmissionPlugins: ['TaintNodesByCondition'],
    ...options,
  });

/** Creates a node with one CPU and 110 pods, unless the parts say otherwise. */
export const createNode = (
  cluster: SimulatedCluster,
  name: string,
  { metadata, spec, status }: Node = {},
): Promise<unknown> =>
  cluster.send('POST', '/api/v1/nodes', {
    metadata: { name, labels: { 'kubernetes.io/hostname': name }, ...metadata },
    spec,
    status: { allocatable: { cpu: '1', memory: '1Gi', pods: '110' }, ...status },
  });

/** Creates a pod without a node. */
export const createWaiting = (
  cluster: SimulatedCluster,
  name: string,
  spec: Partial<PodSpec> = {},
  metadata: object = {},
): Promise<Pod> => cluster.createPod(name, { nodeName: '', ...spec } as PodSpec, metadata);

/** A container that requests some CPU. */
export const needing = (cpu: string): Partial<PodSpec> => ({
  containers: [{ name: 'main', image: 'app:1', resources: { requests: { cpu } } }],
});

export const isOn =
  (node: string) =>
  ({ spec }: Pod): boolean =>
    spec?.nodeName === node;

export const isRejected = ({ status }: Pod): boolean => messageOf({ status } as Pod) !== undefined;

/** Why a pod has no node. */
export const messageOf = ({ status }: Pod): string | undefined =>
  status?.conditions?.find(({ type, status: value }) => type === 'PodScheduled' && value === 'False')
    ?.message;
