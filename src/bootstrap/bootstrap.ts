import type { CacheRecord } from '../cache/record.ts';
import { AUTHENTICATION_MAP } from '../controllers/authentication-map.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';
import { formatTime } from '../model/time.ts';
import { CorruptObjectError } from '../resources/corrupt-object.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { StoredResource } from '../resources/stored-resource.ts';
import { UndecryptableObjectError } from '../storage/encryption/errors.ts';
import { KeyExistsError, OutcomeUnknownError, OutOfSpaceError } from '../storage/storage.ts';
import { bootstrapApiServices } from './api-services.ts';
import {
  type ClusterService,
  kubernetesAddresses,
  kubernetesEndpointSlice,
  kubernetesEndpoints,
  kubernetesService,
} from './cluster-service.ts';
import { type EncodeOptions, encodeEnforced, encodeNew, encodeReconciled } from './encode.ts';
import type { ServerIdentity } from './identity-lease.ts';
import { identityLease } from './identity-lease.ts';
import {
  bootstrapClusterRoleBindings,
  bootstrapClusterRoles,
  bootstrapFlowSchemas,
  bootstrapNamespaces,
  bootstrapPriorityClasses,
  bootstrapPriorityLevels,
  bootstrapRoleBindings,
  bootstrapRoles,
} from './index.ts';

export interface BootstrapOptions {
  readonly resources: Resources;
  readonly now: number;
  readonly uid: () => string;
  readonly service: ClusterService;
  /**
   * Whether the server publishes its address as the endpoints of the `kubernetes` service
   * (`--endpoint-reconciler-type`).
   */
  readonly publishEndpoints: boolean;
  /** Whether RBAC is an authorizer; the default RBAC objects are created and reconciled only then. */
  readonly rbac: boolean;
  /** Data of the `extension-apiserver-authentication` config map. */
  readonly authenticationData: Readonly<Record<string, string>>;
  /**
   * Whether corrupt objects are replaced: only in a store of this server alone. Objects that cannot be
   * decrypted are never replaced.
   */
  readonly replacesCorrupt: boolean;
  readonly identity: ServerIdentity;
  /** The feature gates. */
  readonly isOn: RuleContext['isOn'];
}

/**
 * Policy for an object that exists: leave it (`create`), restore its defaults (`reconcile`) or overwrite it
 * (`enforce`).
 */
type Policy = 'create' | 'reconcile' | 'enforce';
interface BootstrapObjects extends Pick<EncodeOptions, 'allocated'> {
  readonly group: string;
  readonly resource: string;
  readonly policy: Policy;
  readonly objects: readonly KubernetesObject[];
}

const RBAC = 'rbac.authorization.k8s.io';
const FLOW = 'flowcontrol.apiserver.k8s.io';

/** kube-apiserver's owners of the fields of bootstrap objects. */
const managerOf = (group: string): string =>
  group === FLOW ? 'api-priority-and-fairness-config-producer-v1' : 'kube-apiserver';

const configMap = (name: string, data: Readonly<Record<string, string>>): KubernetesObject => ({
  metadata: { name, namespace: 'kube-system' },
  data,
});

/** Returns the objects of a new server, in creation order. */
function bootstrapObjects({
  resources,
  now,
  service,
  publishEndpoints,
  rbac,
  authenticationData,
  identity,
  isOn,
}: BootstrapOptions): BootstrapObjects[] {
  const context = { has: resources.scheme.has, isOn };
  return [
    { group: '', resource: 'namespaces', policy: 'create', objects: bootstrapNamespaces() },
    ...(rbac
      ? ([
          {
            group: RBAC,
            resource: 'clusterroles',
            policy: 'reconcile',
            objects: bootstrapClusterRoles(context),
          },
          {
            group: RBAC,
            resource: 'clusterrolebindings',
            policy: 'reconcile',
            objects: bootstrapClusterRoleBindings(context),
          },
          { group: RBAC, resource: 'roles', policy: 'reconcile', objects: bootstrapRoles(context) },
          { group: RBAC, resource: 'rolebindings', policy: 'reconcile', objects: bootstrapRoleBindings() },
        ] as const)
      : []),
    {
      group: 'scheduling.k8s.io',
      resource: 'priorityclasses',
      policy: 'create',
      objects: bootstrapPriorityClasses(),
    },
    {
      group: FLOW,
      resource: 'prioritylevelconfigurations',
      policy: 'create',
      objects: bootstrapPriorityLevels(),
    },
    { group: FLOW, resource: 'flowschemas', policy: 'create', objects: bootstrapFlowSchemas(context) },
    {
      group: 'apiregistration.k8s.io',
      resource: 'apiservices',
      policy: 'create',
      objects: bootstrapApiServices(resources.served, formatTime(now)),
    },
    {
      group: '',
      resource: 'services',
      policy: 'create',
      objects: [kubernetesService(service)],
      allocated: kubernetesAddresses(service),
    },
    ...(publishEndpoints
      ? ([
          { group: '', resource: 'endpoints', policy: 'enforce', objects: [kubernetesEndpoints(service)] },
          {
            group: 'discovery.k8s.io',
            resource: 'endpointslices',
            policy: 'enforce',
            objects: [kubernetesEndpointSlice(service)],
          },
        ] as const)
      : []),
    {
      group: '',
      resource: 'configmaps',
      policy: 'create',
      objects: [
        configMap('kube-apiserver-legacy-service-account-token-tracking', {
          since: new Date(now).toISOString().slice(0, 10),
        }),
      ],
    },
    {
      group: '',
      resource: 'configmaps',
      policy: 'create',
      objects: [configMap(AUTHENTICATION_MAP, authenticationData)],
    },
    {
      group: 'coordination.k8s.io',
      resource: 'leases',
      policy: 'enforce',
      objects: [identityLease(identity, now)],
    },
  ];
}

export interface BootstrapResult {
  /** Keys of corrupt objects that were recreated. */
  readonly recreated: readonly string[];
  /** Objects that cannot be read and must not be replaced. */
  readonly unreadable: readonly CorruptObjectError[];
}

/** Attempts while other servers create the same objects, or the store does not confirm changes. */
const ATTEMPTS = 5;

/** Creates missing bootstrap objects in one batch and reconciles existing ones. */
export async function bootstrap(options: BootstrapOptions): Promise<BootstrapResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await bootstrapOnce(options);
    } catch (error) {
      // Each attempt reads first, and creates objects with a uid of their own: none is written twice.
      const mayHaveBeenWritten = error instanceof KeyExistsError || error instanceof OutcomeUnknownError;
      if (!mayHaveBeenWritten || attempt === ATTEMPTS) throw error;
    }
  }
}

async function bootstrapOnce(options: BootstrapOptions): Promise<BootstrapResult> {
  const { resources, replacesCorrupt, now, uid, isOn } = options;
  const context = { has: resources.scheme.has, isOn };
  const created: { key: string; value: Uint8Array }[] = [];
  const changed: (() => Promise<unknown>)[] = [];
  const recreated: string[] = [];
  const unreadable: CorruptObjectError[] = [];
  for (const { group, resource, policy, objects, allocated } of bootstrapObjects(options)) {
    const served = resources.internal(group, resource);
    const encoding = { now, uid, manager: managerOf(group), allocated, context };
    await served.stored.cache.waitFresh('latest');
    for (const object of objects) {
      const { name = '', namespace = '' } = object.metadata ?? {};
      const key = served.stored.key(namespace, name);
      const record = served.stored.cache.get(key);
      if (record === undefined) created.push({ key, value: encodeNew(served, object, encoding) });
      else if (policy !== 'create') {
        const stored = decodeUnlessCorrupt(served.stored, record);
        if (stored instanceof CorruptObjectError) {
          if (!replacesCorrupt || stored instanceof UndecryptableObjectError) {
            unreadable.push(stored);
            continue;
          }
          recreated.push(key);
        }
        const value =
          stored instanceof CorruptObjectError
            ? encodeNew(served, object, encoding)
            : policy === 'enforce'
              ? encodeEnforced(served, object, stored, encoding)
              : encodeReconciled(served, object, stored, encoding);
        if (value !== undefined && !isStored(served, value, record))
          changed.push(() => served.stored.storage.transact({ key, expected: record.revision, value }));
      }
    }
  }
  const [first] = resources.stored;
  if (created.length > 0) await first!.storage.createBatch(created);
  try {
    for (const change of changed) await change();
  } catch (error) {
    // The disk is full. The existing objects still allow clients to read, and to delete objects to free
    // space.
    if (!(error instanceof OutOfSpaceError)) throw error;
  }
  return { recreated, unreadable };
}

/** Whether a record has this content; fields that this server does not know are not compared. */
function isStored({ stored }: ServedResource, value: Uint8Array, record: CacheRecord): boolean {
  if (Buffer.compare(value, record.value) === 0) return true;
  const known = decodeUnlessCorrupt(stored, record);
  return !(known instanceof CorruptObjectError) && Buffer.compare(value, stored.codec.encode(known)) === 0;
}

/** Decodes a record, or returns its error. A corrupt object must not keep the server from starting. */
function decodeUnlessCorrupt(
  stored: StoredResource,
  record: CacheRecord,
): KubernetesObject | CorruptObjectError {
  try {
    return stored.decode(record);
  } catch (error) {
    if (error instanceof CorruptObjectError) return error;
    throw error;
  }
}
