export const METRICS_GROUP = 'metrics.k8s.io';
export const METRICS_VERSION = 'v1beta1';

/** The resources of the group as discovery shows them. */
export const METRICS_RESOURCES = [
  { resource: 'nodes', kind: 'NodeMetrics', namespaced: false },
  { resource: 'pods', kind: 'PodMetrics', namespaced: true },
].map((row) => ({
  ...row,
  singular: '',
  verbs: ['get', 'list'] as const,
  shortNames: [],
  categories: [],
  subresources: [],
}));
