import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../model/generated/rbac-v1.ts';

/**
 * Provides roles and bindings. Objects are immutable: a change replaces them. A generation increases with
 * every change of the objects that it covers and invalidates derived data.
 */
export interface RoleSource {
  /** Covers cluster roles and cluster role bindings. */
  readonly clusterGeneration: number;
  /** Covers roles and role bindings of all namespaces. */
  readonly namespacedGeneration: number;
  clusterRole(name: string): ClusterRole | undefined;
  role(namespace: string, name: string): Role | undefined;
  clusterRoleBindings(): Iterable<ClusterRoleBinding>;
  roleBindings(namespace: string): Iterable<RoleBinding>;
}
