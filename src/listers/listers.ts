import type { AdmissionListers } from '../admission/listers.ts';
import type { TokenObjectLister } from '../authentication/service-account/index.ts';
import type { BindingObject, RoleObject, RoleSource } from '../authorization/rbac-types.ts';
import { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { prefixEnd } from '../storage/storage.ts';
import { type ChargeOwnership, QuotaLister } from './quota-lister.ts';

/** Reads stored objects from the cache. Each record is decoded once; callers must not change the objects. */
export class Lister {
  readonly #resource: ServedResource;

  constructor(resources: Resources, group: string, resource: string) {
    this.#resource = resources.internal(group, resource);
  }

  get cache() {
    return this.#resource.stored.cache;
  }

  get(namespace: string, name: string): MaybePromise<KubernetesObject | undefined> {
    const ready = this.cache.waitFresh(0);
    return ready instanceof Promise
      ? ready.then(() => this.getCached(namespace, name))
      : this.getCached(namespace, name);
  }

  /**
   * {@link get}, but an object that the cache does not have is read from the store: another server may have
   * created it a moment ago.
   */
  getLive(namespace: string, name: string): MaybePromise<KubernetesObject | undefined> {
    if (this.#resource.stored.storage.immediate !== undefined) return this.get(namespace, name);
    return this.#getLive(namespace, name);
  }

  async #getLive(namespace: string, name: string): Promise<KubernetesObject | undefined> {
    const cached = await this.get(namespace, name);
    if (cached !== undefined) return cached;
    const { stored } = this.#resource;
    const { entry } = await stored.storage.get(stored.key(namespace, name));
    return entry && this.#decode(CacheRecord.of(entry, stored.reader));
  }

  list(namespace = ''): MaybePromise<KubernetesObject[]> {
    const ready = this.cache.waitFresh(0);
    return ready instanceof Promise
      ? ready.then(() => this.listCached(namespace))
      : this.listCached(namespace);
  }

  /** Reads from the cache, which must have been filled. */
  getCached(namespace: string, name: string): KubernetesObject | undefined {
    const record = this.cache.get(this.#resource.stored.key(namespace, name));
    return record === undefined ? undefined : this.#decode(record);
  }

  listCached(namespace = ''): KubernetesObject[] {
    const objects: KubernetesObject[] = [];
    const start = this.#resource.stored.scope(namespace);
    this.cache.current().scan(start, prefixEnd(start), (record) => {
      const object = this.#decode(record);
      if (object !== undefined) objects.push(object);
      return undefined;
    });
    return objects;
  }

  /** Undefined for a corrupt object; reading it through the API reports the corruption. */
  #decode(record: CacheRecord): KubernetesObject | undefined {
    try {
      return this.#resource.cachedEncoding(record, 'object', () => ({
        value: this.#resource.stored.decode(record),
        bytes: record.value.length * 4,
      }));
    } catch {
      return undefined;
    }
  }
}

/**
 * Creates the listers that admission, authentication and authorization use.
 * @param chargeOwnership records who charged a quota
 */
export function createListers(resources: Resources, chargeOwnership: ChargeOwnership) {
  const reader = (group: string, resource: string) => new Lister(resources, group, resource);
  const namespaces = reader('', 'namespaces');
  const serviceAccounts = reader('', 'serviceaccounts');
  const priorityClasses = reader('scheduling.k8s.io', 'priorityclasses');
  const storageClasses = reader('storage.k8s.io', 'storageclasses');
  const ingressClasses = reader('networking.k8s.io', 'ingressclasses');
  const runtimeClasses = reader('node.k8s.io', 'runtimeclasses');
  const pods = reader('', 'pods');
  const secrets = reader('', 'secrets');
  const nodes = reader('', 'nodes');
  const limitRanges = reader('', 'limitranges');
  const quotas = new QuotaLister(resources, chargeOwnership);

  const admission: AdmissionListers = {
    namespace: (name) => namespaces.getLive('', name),
    serviceAccount: (namespace, name) => serviceAccounts.getLive(namespace, name),
    priorityClass: (name) => priorityClasses.get('', name),
    priorityClasses: () => priorityClasses.list(),
    storageClass: (name) => storageClasses.get('', name),
    storageClasses: () => storageClasses.list(),
    ingressClasses: () => ingressClasses.list(),
    runtimeClass: (name) => runtimeClasses.get('', name),
    pod: (namespace, name) => pods.get(namespace, name),
    node: (name) => nodes.get('', name),
    pods: (namespace) => pods.list(namespace),
    limitRanges: (namespace) => limitRanges.list(namespace),
    resourceQuotas: (namespace) => quotas.list(namespace),
  };
  const tokens: TokenObjectLister = {
    serviceAccount: (namespace, name) => serviceAccounts.getLive(namespace, name),
    pod: (namespace, name) => pods.getLive(namespace, name),
    secret: (namespace, name) => secrets.getLive(namespace, name),
    node: (name) => nodes.getLive('', name),
  };
  return { admission, tokens, roles: roleSource(reader) };
}

const RBAC = 'rbac.authorization.k8s.io';

function roleSource(
  reader: (group: string, resource: string) => Lister,
): RoleSource & { ready(): Promise<void> } {
  const clusterRoles = reader(RBAC, 'clusterroles');
  const roles = reader(RBAC, 'roles');
  const clusterRoleBindings = reader(RBAC, 'clusterrolebindings');
  const roleBindings = reader(RBAC, 'rolebindings');
  return {
    async ready() {
      for (const { cache } of [clusterRoles, roles, clusterRoleBindings, roleBindings])
        await cache.waitFresh(0);
    },
    get clusterGeneration() {
      return clusterRoles.cache.generation + clusterRoleBindings.cache.generation;
    },
    get namespacedGeneration() {
      return roles.cache.generation + roleBindings.cache.generation;
    },
    clusterRole: (name) => clusterRoles.getCached('', name) as RoleObject | undefined,
    role: (namespace, name) => roles.getCached(namespace, name) as RoleObject | undefined,
    clusterRoleBindings: () => clusterRoleBindings.listCached() as BindingObject[],
    roleBindings: (namespace) => roleBindings.listCached(namespace) as BindingObject[],
  };
}
