import type { AdmissionListers } from '../admission/listers.ts';
import type { TokenObjectLister } from '../authentication/service-account/index.ts';
import type { RoleSource } from '../authorization/role-source.ts';
import { CacheRecord } from '../cache/record.ts';
import type { LimitRange, Namespace, Node, Pod, Secret, ServiceAccount } from '../model/generated/core-v1.ts';
import type { IngressClass } from '../model/generated/networking-v1.ts';
import type { RuntimeClass } from '../model/generated/node-v1.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../model/generated/rbac-v1.ts';
import type { PriorityClass } from '../model/generated/scheduling-v1.ts';
import type { StorageClass } from '../model/generated/storage-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { prefixEnd } from '../storage/storage.ts';
import { type ChargeOwnership, QuotaLister } from './quota-lister.ts';

/**
 * Reads stored objects of a built-in kind from the cache. Each record is decoded once; callers must not change
 * the objects.
 */
export class Lister<Kind extends KubernetesObject = KubernetesObject> {
  readonly #resource: ServedResource;

  constructor(resources: Resources, group: string, resource: string) {
    this.#resource = resources.internal(group, resource);
  }

  get cache() {
    return this.#resource.stored.cache;
  }

  get(namespace: string, name: string): MaybePromise<Kind | undefined> {
    const ready = this.cache.waitFresh(0);
    return ready instanceof Promise
      ? ready.then(() => this.getCached(namespace, name))
      : this.getCached(namespace, name);
  }

  /**
   * {@link get}, but an object that the cache does not have is read from the store: another server may have
   * created it a moment ago.
   */
  getLive(namespace: string, name: string): MaybePromise<Kind | undefined> {
    if (this.#resource.stored.storage.immediate !== undefined) return this.get(namespace, name);
    return this.#getLive(namespace, name);
  }

  async #getLive(namespace: string, name: string): Promise<Kind | undefined> {
    const cached = await this.get(namespace, name);
    if (cached !== undefined) return cached;
    const { stored } = this.#resource;
    const { entry } = await stored.storage.get(stored.key(namespace, name));
    return entry && this.#decode(CacheRecord.of(entry, stored.reader));
  }

  /** @param selects whether an object is listed; default: all are */
  list(namespace = '', selects?: (record: CacheRecord) => boolean): MaybePromise<Kind[]> {
    const ready = this.cache.waitFresh(0);
    return ready instanceof Promise
      ? ready.then(() => this.listCached(namespace, selects))
      : this.listCached(namespace, selects);
  }

  /** Reads from the cache, which must have been filled. */
  getCached(namespace: string, name: string): Kind | undefined {
    const record = this.cache.get(this.#resource.stored.key(namespace, name));
    return record === undefined ? undefined : this.#decode(record);
  }

  listCached(namespace = '', selects?: (record: CacheRecord) => boolean): Kind[] {
    const objects: Kind[] = [];
    const start = this.#resource.stored.scope(namespace);
    this.cache.current().scan(start, prefixEnd(start), (record) => {
      const object = isSelected(record, selects) ? this.#decode(record) : undefined;
      if (object !== undefined) objects.push(object);
      return undefined;
    });
    return objects;
  }

  /** Undefined for a corrupt object; reading it through the API reports the corruption. */
  #decode(record: CacheRecord): Kind | undefined {
    try {
      return this.#resource.cachedEncoding(record, 'object', () => ({
        value: this.#resource.stored.decode(record),
        bytes: record.value.length * 4,
      })) as Kind;
    } catch {
      return undefined;
    }
  }
}

/** False also for a corrupt object. */
function isSelected(record: CacheRecord, selects: ((record: CacheRecord) => boolean) | undefined): boolean {
  if (selects === undefined) return true;
  try {
    return selects(record);
  } catch {
    return false;
  }
}

/**
 * Creates the listers that admission, authentication and authorization use.
 * @param chargeOwnership records who charged a quota
 */
export function createListers(resources: Resources, chargeOwnership: ChargeOwnership) {
  const reader: ListerFactory = <Kind extends KubernetesObject>(group: string, resource: string) =>
    new Lister<Kind>(resources, group, resource);
  const namespaces = reader<Namespace>('', 'namespaces');
  const serviceAccounts = reader<ServiceAccount>('', 'serviceaccounts');
  const priorityClasses = reader<PriorityClass>('scheduling.k8s.io', 'priorityclasses');
  const storageClasses = reader<StorageClass>('storage.k8s.io', 'storageclasses');
  const ingressClasses = reader<IngressClass>('networking.k8s.io', 'ingressclasses');
  const runtimeClasses = reader<RuntimeClass>('node.k8s.io', 'runtimeclasses');
  const pods = reader<Pod>('', 'pods');
  const secrets = reader<Secret>('', 'secrets');
  const nodes = reader<Node>('', 'nodes');
  const limitRanges = reader<LimitRange>('', 'limitranges');
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

type ListerFactory = <Kind extends KubernetesObject>(group: string, resource: string) => Lister<Kind>;

const RBAC = 'rbac.authorization.k8s.io';

function roleSource(reader: ListerFactory): RoleSource & { ready(): Promise<void> } {
  const clusterRoles = reader<ClusterRole>(RBAC, 'clusterroles');
  const roles = reader<Role>(RBAC, 'roles');
  const clusterRoleBindings = reader<ClusterRoleBinding>(RBAC, 'clusterrolebindings');
  const roleBindings = reader<RoleBinding>(RBAC, 'rolebindings');
  return new StoredRoles(clusterRoles, roles, clusterRoleBindings, roleBindings);
}

/** The stored roles and bindings. */
class StoredRoles implements RoleSource {
  readonly #clusterRoles: Lister<ClusterRole>;
  readonly #roles: Lister<Role>;
  readonly #clusterRoleBindings: Lister<ClusterRoleBinding>;
  readonly #roleBindings: Lister<RoleBinding>;

  constructor(
    clusterRoles: Lister<ClusterRole>,
    roles: Lister<Role>,
    clusterRoleBindings: Lister<ClusterRoleBinding>,
    roleBindings: Lister<RoleBinding>,
  ) {
    this.#clusterRoles = clusterRoles;
    this.#roles = roles;
    this.#clusterRoleBindings = clusterRoleBindings;
    this.#roleBindings = roleBindings;
  }

  /** Resolves when all of them are cached. */
  async ready(): Promise<void> {
    for (const { cache } of [this.#clusterRoles, this.#roles, this.#clusterRoleBindings, this.#roleBindings])
      await cache.waitFresh(0);
  }

  get clusterGeneration(): number {
    return this.#clusterRoles.cache.generation + this.#clusterRoleBindings.cache.generation;
  }

  get namespacedGeneration(): number {
    return this.#roles.cache.generation + this.#roleBindings.cache.generation;
  }

  clusterRole(name: string): ClusterRole | undefined {
    return this.#clusterRoles.getCached('', name);
  }

  role(namespace: string, name: string): Role | undefined {
    return this.#roles.getCached(namespace, name);
  }

  clusterRoleBindings(): Iterable<ClusterRoleBinding> {
    return this.#clusterRoleBindings.listCached();
  }

  roleBindings(namespace: string): Iterable<RoleBinding> {
    return this.#roleBindings.listCached(namespace);
  }
}
