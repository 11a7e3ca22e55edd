/** Kinds of the group node.k8s.io. */
export const NODE: Readonly<Record<string, string>> = {
  RuntimeClass: 'Configuration of the container runtime.',
  'RuntimeClass.handler': 'Name of the runtime handler on the nodes.',
  'RuntimeClass.overhead':
    'Resources that pods of this class need beside those of their containers. Admission copies them to the pod.',
  'RuntimeClass.scheduling':
    'Constraints that make pods of this class run on nodes that support it. Without them all nodes are assumed to support it.',
  Scheduling: 'Nodes that support a runtime class.',
  'Scheduling.nodeSelector':
    "Labels that the nodes must have. Admission adds them to the pod's own node selector and refuses a pod that contradicts them.",
  'Scheduling.tolerations': 'Tolerations that admission adds to those of the pod.',
  Overhead: 'Resources that running a pod needs beside its containers.',
  'Overhead.podFixed': 'Amount of each resource for one pod, such as cpu and memory.',
};
