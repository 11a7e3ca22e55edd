import { BoundedMap } from '../collections/bounded-map.ts';
import { quote } from '../errors/quote.ts';
import type { PolicyRule, Role, RoleBinding } from '../model/generated/rbac-v1.ts';
import { Grant, type ResolvedRole } from './grant.ts';
import type { RoleSource } from './role-source.ts';
import { type CompiledRule, compileRule } from './rule-matching.ts';
import { type SubjectKey, subjectKey } from './subjects.ts';

/** Maximum number of indexed namespaces; the oldest is evicted and indexed again on demand. */
const NAMESPACES_KEPT = 4096;

export type GrantsBySubject = ReadonlyMap<SubjectKey, readonly Grant[]>;

/** Bindings by subject, indexed on first use and again after each change of the source. */
export class BindingIndex {
  readonly #source: RoleSource;
  readonly #compiled = new WeakMap<readonly PolicyRule[], readonly CompiledRule[]>();
  #cluster: GrantsBySubject = new Map();
  #clusterGeneration = Number.NaN;
  readonly #namespaces = new BoundedMap<string, GrantsBySubject>(NAMESPACES_KEPT);
  #namespacesClusterGeneration = Number.NaN;
  #namespacedGeneration = Number.NaN;

  constructor(source: RoleSource) {
    this.#source = source;
  }

  /** Grants of cluster role bindings, which apply in all namespaces. */
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
    if (
      clusterGeneration !== this.#namespacesClusterGeneration ||
      namespacedGeneration !== this.#namespacedGeneration
    ) {
      this.#namespaces.clear();
      this.#namespacesClusterGeneration = clusterGeneration;
      this.#namespacedGeneration = namespacedGeneration;
    }
    const known = this.#namespaces.get(namespace);
    if (known !== undefined) return known;
    const grants = this.#index(this.#source.roleBindings(namespace), namespace);
    this.#namespaces.set(namespace, grants);
    return grants;
  }

  #index(bindings: Iterable<RoleBinding>, namespace: string): GrantsBySubject {
    const grants = new Map<SubjectKey, Grant[]>();
    for (const binding of bindings) {
      for (const subject of binding.subjects ?? []) {
        const key = subjectKey(subject, namespace);
        if (key === undefined) continue;
        const grant = new Grant(binding, subject, namespace, this.#resolve);
        const list = grants.get(key);
        if (list === undefined) grants.set(key, [grant]);
        else list.push(grant);
      }
    }
    return grants;
  }

  readonly #resolve = (kind: string, name: string, namespace: string): ResolvedRole => {
    const isCluster = kind === 'ClusterRole';
    if (!isCluster && (kind !== 'Role' || namespace === ''))
      return `unsupported role reference kind: ${quote(kind)}`;
    const role = isCluster ? this.#source.clusterRole(name) : this.#source.role(namespace, name);
    return role === undefined
      ? `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quote(name)} not found`
      : this.#compile(role);
  };

  #compile({ rules }: Role): readonly CompiledRule[] {
    if (!rules || rules.length === 0) return [];
    let compiled = this.#compiled.get(rules);
    if (compiled === undefined) {
      compiled = rules.map(compileRule);
      this.#compiled.set(rules, compiled);
    }
    return compiled;
  }
}
