/** The members of RBAC objects that evaluation reads; the stored objects satisfy these. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RoleObject {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly PolicyRule[] | null;
}

export interface RoleReference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** A user, a group or a service account. */
export interface Subject {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
}

export interface BindingObject {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly roleRef?: RoleReference;
  readonly subjects?: readonly Subject[] | null;
}

/**
 * Provides roles and bindings. Objects are immutable: a change replaces them. A generation increases with
 * every change of the objects that it covers and invalidates derived data.
 */
export interface RoleSource {
  /** Covers cluster roles and cluster role bindings. */
  readonly clusterGeneration: number;
  /** Covers roles and role bindings of all namespaces. */
  readonly namespacedGeneration: number;
  clusterRole(name: string): RoleObject | undefined;
  role(namespace: string, name: string): RoleObject | undefined;
  clusterRoleBindings(): Iterable<BindingObject>;
  roleBindings(namespace: string): Iterable<BindingObject>;
}
