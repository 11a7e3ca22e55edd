import type { BindingObject, PolicyRule, RoleObject, RoleSource } from './rbac-types.ts';
import { type CompiledRule, compileRule } from './rule-matching.ts';
import { describeSubject, type SubjectKey, subjectKey } from './subjects.ts';

/** Namespaces whose bindings are kept indexed; the oldest is dropped and indexed again when needed. */
const NAMESPACES_KEPT = 4096;

/** A role that a subject holds through a binding. */
export interface Grant {
  readonly binding: BindingObject;
  readonly rules: readonly CompiledRule[];
  /** The role does not exist: text of the error that a refusal carries. */
  readonly missing: string | undefined;
  /** Why the grant applies, for the reason of a decision. */
  readonly reason: string;
}

export type GrantsBySubject = ReadonlyMap<SubjectKey, readonly Grant[]>;

/** Bindings by subject, derived from the source when first asked for and again after each change. */
export class BindingIndex {
  readonly #source: RoleSource;
  #compiled = new WeakMap<readonly PolicyRule[], readonly CompiledRule[]>();
  #cluster: GrantsBySubject = new Map();
  #clusterGeneration = Number.NaN;
  #namespaces = new Map<string, GrantsBySubject>();
  #namespacesClusterGeneration = Number.NaN;
  #namespacedGeneration = Number.NaN;

  constructor(source: RoleSource) {
    this.#source = source;
  }

  /** Grants of cluster role bindings: they hold everywhere. */
  cluster(): GrantsBySubject {
    const { clusterGeneration } = this.#source;
    if (clusterGeneration !== this.#clusterGeneration) {
      this.#cluster = this.#index(this.#source.clusterRoleBindings(), '');
      this.#clusterGeneration = clusterGeneration;
    }
    return this.#cluster;
  }

  /** Grants of the role bindings of one namespace. */
  namespace(namespace: string): GrantsBySubject {
    const { clusterGeneration, namespacedGeneration } = this.#source;
    if (clusterGeneration !== this.#namespacesClusterGeneration || namespacedGeneration !== this.#namespacedGeneration) {
      this.#namespaces.clear();
      this.#namespacesClusterGeneration = clusterGeneration;
      this.#namespacedGeneration = namespacedGeneration;
    }
    const known = this.#namespaces.get(namespace);
    if (known !== undefined) return known;
    const grants = this.#index(this.#source.roleBindings(namespace), namespace);
    if (this.#namespaces.size >= NAMESPACES_KEPT) this.#namespaces.delete(this.#namespaces.keys().next().value!);
    this.#namespaces.set(namespace, grants);
    return grants;
  }

  #index(bindings: Iterable<BindingObject>, namespace: string): GrantsBySubject {
    const grants = new Map<SubjectKey, Grant[]>();
    for (const binding of bindings) {
      const { subjects, roleRef: { kind = '', name = '' } = {} } = binding;
      if (!subjects || subjects.length === 0) continue;
      const role = this.#role(kind, name, namespace);
      const rules = typeof role === 'string' ? [] : this.#compile(role);
      const missing = typeof role === 'string' ? role : undefined;
      const bindingName = binding.metadata?.name ?? '';
      const title = namespace === '' ? `ClusterRoleBinding ${JSON.stringify(bindingName)}` : `RoleBinding ${JSON.stringify(`${bindingName}/${namespace}`)}`;
      for (const subject of subjects) {
        const key = subjectKey(subject, namespace);
        if (key === undefined) continue;
        const grant: Grant = {
          binding,
          rules,
          missing,
          reason: `RBAC: allowed by ${title} of ${kind} ${JSON.stringify(name)} to ${describeSubject(subject, namespace)}`,
        };
        const list = grants.get(key);
        if (list === undefined) grants.set(key, [grant]);
        else list.push(grant);
      }
    }
    return grants;
  }

  /** The role, or the text of the error why there is none. */
  #role(kind: string, name: string, namespace: string): RoleObject | string {
    if (kind === 'ClusterRole') return this.#source.clusterRole(name) ?? `clusterrole.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`;
    if (kind === 'Role' && namespace !== '') return this.#source.role(namespace, name) ?? `role.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`;
    return `unsupported role reference kind: ${JSON.stringify(kind)}`;
  }

  #compile({ rules }: RoleObject): readonly CompiledRule[] {
    if (!rules || rules.length === 0) return [];
    let compiled = this.#compiled.get(rules);
    if (compiled === undefined) {
      compiled = rules.map(compileRule);
      this.#compiled.set(rules, compiled);
    }
    return compiled;
  }
}
