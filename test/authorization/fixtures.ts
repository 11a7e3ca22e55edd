import type { RoleSource } from '../../src/authorization/role-source.ts';
import type { PolicyRule, Role, RoleBinding, Subject } from '../../src/model/generated/rbac-v1.ts';
import type { Attributes } from '../../src/request/attributes.ts';
import { user } from '../authentication/fixtures.ts';

/** Roles and bindings in memory; every change increments both generations. */
export class TestRoles implements RoleSource {
  clusterGeneration = 0;
  namespacedGeneration = 0;
  readonly #roles = new Map<string, Role>();
  readonly #bindings = new Map<string, RoleBinding[]>();

  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): this {
    if (rules === undefined) this.#roles.delete(`${namespace}/${name}`);
    else this.#roles.set(`${namespace}/${name}`, { metadata: { name, namespace }, rules: [...rules] });
    return this.#changed();
  }

  bind(namespace: string, name: string, role: string, ...subjects: Subject[]): this {
    const [kind = '', roleName = ''] = role.split('/');
    const list = this.#bindings.get(namespace) ?? [];
    list.push({ metadata: { name, namespace }, roleRef: { kind, name: roleName }, subjects });
    this.#bindings.set(namespace, list);
    return this.#changed();
  }

  clusterRole = (name: string): Role | undefined => this.#roles.get(`/${name}`);
  role = (namespace: string, name: string): Role | undefined => this.#roles.get(`${namespace}/${name}`);
  clusterRoleBindings = (): Iterable<RoleBinding> => this.#bindings.get('') ?? [];
  roleBindings = (namespace: string): Iterable<RoleBinding> => this.#bindings.get(namespace) ?? [];

  #changed(): this {
    this.clusterGeneration += 1;
    this.namespacedGeneration += 1;
    return this;
  }
}

/** `get pods` without a user name, with these changes. */
export function attributes(changes: Partial<Attributes>): Attributes {
  return {
    user: user('nobody'),
    verb: 'get',
    isResource: true,
    path: '/api/v1/pods',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: '',
    name: '',
    ...changes,
  };
}
