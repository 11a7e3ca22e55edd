import type { KubernetesObject } from '../model/object.ts';

/** System namespaces, in creation order. */
const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'] as const;

export const bootstrapNamespaces = (): KubernetesObject[] =>
  SYSTEM_NAMESPACES.map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
  }));
