/** Status of pods and containers. */
export const POD_STATUS: Readonly<Record<string, string>> = {
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
};
