import type { Pod } from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { defineResource } from '../../builtin-resource.ts';
import { textAt } from '../../field-reader.ts';
import { IN_PLACE_RESIZE } from './pod-spec-defaults.ts';
import { createPodStrategy } from './pod-strategy.ts';
import { podTable } from './pod-table.ts';

const asPod = (object: KubernetesObject): Pod => object as Pod;

export const pods = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'pods',
  kind: 'Pod',
  shortNames: ['po'],
  categories: ['all'],
  subresources: [
    { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'] },
    { name: 'binding', kind: 'Binding', verbs: ['create'] },
    'ephemeralcontainers',
    { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
    { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] },
    { name: 'log', verbs: ['get'] },
    { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
    { name: 'proxy', kind: 'PodProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
    { name: 'resize', gate: IN_PLACE_RESIZE },
    'status',
  ],
  strategy: createPodStrategy,
  fieldSelectors: {
    'spec.nodeName': textAt('spec', 'nodeName'),
    'spec.restartPolicy': textAt('spec', 'restartPolicy'),
    'spec.schedulerName': textAt('spec', 'schedulerName'),
    'spec.serviceAccountName': textAt('spec', 'serviceAccountName'),
    'spec.hostNetwork': (object) => String(asPod(object).spec?.hostNetwork ?? false),
    'status.phase': textAt('status', 'phase'),
    'status.podIP': (object) => asPod(object).status?.podIPs?.[0]?.ip ?? '',
    // The label is accepted, but its value is always empty.
    'status.podIPs': () => '',
    'status.nominatedNodeName': textAt('status', 'nominatedNodeName'),
    'spec.host': textAt('spec', 'nodeName'),
  },
  table: podTable,
  descriptions: {
    Pod: 'Group of containers that run on the same node and share network and volumes.',
    PodStatus: 'Status of a pod.',
    'PodStatus.phase': 'Pending, Running, Succeeded, Failed or Unknown.',
    'PodStatus.podIP': 'Primary IP address of the pod.',
    'PodStatus.podIPs': 'IP addresses of the pod, at most one per IP family.',
    'PodStatus.hostIP': 'IP address of the node.',
    'PodStatus.startTime': 'Time at which the kubelet accepted the pod.',
    'PodStatus.containerStatuses': 'Statuses of the containers.',
    'PodStatus.initContainerStatuses': 'Statuses of the init containers.',
    'PodStatus.qosClass':
      'Quality of service class from the resource requirements: Guaranteed, Burstable or BestEffort.',
    'PodStatus.nominatedNodeName': 'Node on which pods are being preempted for this pod.',
    ContainerStatus: 'Status of a container.',
    'ContainerStatus.ready': 'Whether the container is ready.',
    'ContainerStatus.restartCount': 'Number of restarts.',
    'ContainerStatus.state': 'Current state of the container.',
    'ContainerStatus.lastState': 'Previous terminated state of the container.',
    Eviction: 'Evicts a pod if its disruption budget allows it.',
    'Eviction.deleteOptions': 'Options of the deletion.',
  },
});
