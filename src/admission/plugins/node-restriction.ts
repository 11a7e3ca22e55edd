import type { TokenRequest } from '../../model/generated/authentication-v1.ts';
import type { Lease } from '../../model/generated/coordination-v1.ts';
import type { Node, Pod } from '../../model/generated/core-v1.ts';
import { isJsonObject } from '../../model/json-object.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { visitPodReferences } from '../../model/pod-references.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { nodeName } from '../../request/node-identity.ts';
import type { ApiError } from '../../status/api-error.ts';
import { errors } from '../../status/errors.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { forbiddenNodeLabels } from './node-labels.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const LEASE_NAMESPACE = 'kube-node-lease';
const RESOURCES: ReadonlySet<string> = new Set([
  '/pods',
  '/nodes',
  '/persistentvolumeclaims',
  '/serviceaccounts',
  'coordination.k8s.io/leases',
  'storage.k8s.io/csinodes',
  'resource.k8s.io/resourceslices',
]);

/**
 * Restricts kubelets to their own objects where the Node authorizer cannot tell the owner; ignores other
 * users.
 */
export function nodeRestriction(listers: Pick<AdmissionListers, 'pod' | 'node'>): BuiltinPlugin {
  return {
    handles: (_operation, group, resource) => RESOURCES.has(`${group}/${resource}`),
    async admit(request) {
      const node = nodeName(request.user);
      if (node === undefined) return;
      if (node === '')
        throw admissionForbidden(request, `could not determine node from user ${quote(request.user.name)}`);
      const error = await errorOf(request, node, listers);
      if (error !== undefined) throw admissionForbidden(request, error);
    },
  };
}

type Listers = Pick<AdmissionListers, 'pod' | 'node'>;

function errorOf(
  request: AdmissionRequest,
  node: string,
  listers: Listers,
): string | undefined | Promise<string | undefined> {
  switch (request.resource.resource) {
    case 'pods':
      return podError(request, node, listers);
    case 'nodes':
      return nodeError(request, node);
    case 'persistentvolumeclaims':
      return claimError(request, node);
    case 'serviceaccounts':
      return request.operation === 'CREATE' && request.subresource === 'token'
        ? tokenError(request, node, listers)
        : undefined;
    case 'leases':
      if (request.namespace !== LEASE_NAMESPACE)
        return `can only access leases in the "${LEASE_NAMESPACE}" system namespace`;
      return isOwnName(request, node)
        ? undefined
        : 'can only access node lease with the same name as the requesting node';
    case 'csinodes':
      return isOwnName(request, node)
        ? undefined
        : 'can only access CSINode with the same name as the requesting node';
    default:
      return sliceError(request, node);
  }
}

const isOwnName = ({ name, object }: AdmissionRequest, node: string): boolean =>
  (name || (object as Lease | undefined)?.metadata?.name) === node;
const specOf = (object: KubernetesObject | undefined): Readonly<Record<string, unknown>> =>
  (object?.spec ?? {}) as Readonly<Record<string, unknown>>;
const quote = (text: string): string => JSON.stringify(text);

/** The 404 of the reference's listers, which name the kind in singular. */
const absent = (kind: 'node' | 'pod', name: string): ApiError =>
  errors.notFound({ group: '', resource: kind }, name);

function podError(
  request: AdmissionRequest,
  node: string,
  listers: Listers,
): string | undefined | Promise<string | undefined> {
  const { operation, subresource, object, oldObject } = request;
  const boundElsewhere = (pod: KubernetesObject | undefined): boolean => specOf(pod).nodeName !== node;
  switch (subresource) {
    case '':
      if (operation === 'CREATE') return mirrorError(object as Pod, node, listers);
      if (operation === 'DELETE')
        return boundElsewhere(oldObject)
          ? `node ${quote(node)} can only delete pods with spec.nodeName set to itself`
          : undefined;
      return `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`;
    case 'status':
      if (operation !== 'UPDATE') return `unexpected operation ${quote(operation)}`;
      if (boundElsewhere(oldObject))
        return `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`;
      if (!same(object?.metadata?.labels, oldObject?.metadata?.labels))
        return `node ${quote(node)} cannot update labels through pod status`;
      return same(
        (object as Pod).status?.resourceClaimStatuses,
        (oldObject as Pod).status?.resourceClaimStatuses,
      )
        ? undefined
        : `node ${quote(node)} cannot update resource claim statues`;
    case 'eviction':
      return evictionError(request, node, listers);
    default:
      return `unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`;
  }
}

async function evictionError(
  { operation, namespace, name, object }: AdmissionRequest,
  node: string,
  { pod: find }: Listers,
): Promise<string | undefined> {
  if (operation !== 'CREATE') return `unexpected operation ${quote(operation)}`;
  const podName = name || (object?.metadata?.name ?? '');
  if (podName === '') return 'could not determine pod from request data';
  const pod = await find(namespace, podName);
  if (pod === undefined) throw absent('pod', podName);
  return specOf(pod).nodeName === node
    ? undefined
    : `node ${node} can only evict pods with spec.nodeName set to itself`;
}

/** A node may only create mirror pods that run on it, that it owns, and that reference no other objects. */
async function mirrorError(
  { metadata = {}, spec = {} }: Pod,
  node: string,
  { node: find }: Listers,
): Promise<string | undefined> {
  const subject = `node ${quote(node)}`;
  const { annotations = {}, ownerReferences = [] } = metadata;
  if (!Object.hasOwn(annotations, MIRROR))
    return `pod does not have ${quote(MIRROR)} annotation, ${subject} can only create mirror pods`;
  if (spec.nodeName !== node) return `${subject} can only create pods with spec.nodeName set to itself`;
  if (ownerReferences.length > 1)
    return `${subject} can only create pods with a single owner reference set to itself`;
  const [owner] = ownerReferences;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `${subject} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true)
    return `${subject} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true)
    return `${subject} must not set blockOwnerDeletion on an owner reference`;
  const uid = (await find(node))?.metadata?.uid;
  if (uid === undefined) throw absent('node', node);
  if (owner.uid !== uid) return `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
  if (spec.serviceAccountName) return `${subject} can not create pods that reference a service account`;
  const references = new Set<string>();
  // Visited as a regular pod: references of mirror pods are ignored otherwise.
  visitPodReferences({ metadata: { ...metadata, annotations: {} }, spec }, (kind) => references.add(kind));
  if (references.has('secret')) return `${subject} can not create pods that reference secrets`;
  if (references.has('configmap')) return `${subject} can not create pods that reference configmaps`;
  if (references.has('pvc')) return `${subject} can not create pods that reference persistentvolumeclaims`;
  return (spec.resourceClaims ?? []).length > 0
    ? `${subject} can not create pods that reference resourceclaims`
    : undefined;
}

function nodeError(request: AdmissionRequest, node: string): string | undefined {
  const { operation, name, object, oldObject } = request;
  const requested = name || (object?.metadata?.name ?? '');
  const subject = `node ${quote(node)}`;
  if (requested !== node) return `${subject} is not allowed to modify node ${quote(requested)}`;
  if (operation === 'CREATE') {
    if ((object as Node).spec?.configSource !== undefined)
      return `${subject} is not allowed to create pods with a non-nil configSource`;
    const labels = forbiddenNodeLabels(object?.metadata?.labels);
    return labels.length === 0
      ? undefined
      : `${subject} is not allowed to set the following labels: ${labels.join(', ')}`;
  }
  if (operation !== 'UPDATE') return undefined;
  const { configSource } = specOf(object);
  if (
    configSource !== undefined &&
    configSource !== null &&
    !same(configSource, specOf(oldObject).configSource)
  )
    return `${subject} is not allowed to update configSource to a new non-nil configSource`;
  if (!same(specOf(object).taints, specOf(oldObject).taints))
    return `${subject} is not allowed to modify taints`;
  if (!same(object?.metadata?.ownerReferences, oldObject?.metadata?.ownerReferences))
    return `${subject} is not allowed to modify ownerReferences`;
  const labels = forbiddenNodeLabels(object?.metadata?.labels, oldObject?.metadata?.labels);
  return labels.length > 0 ? `is not allowed to modify labels: ${labels.join(', ')}` : undefined;
}

/** A kubelet may only update the resize status of a claim. */
function claimError(
  { operation, subresource, object, oldObject }: AdmissionRequest,
  node: string,
): string | undefined {
  if (subresource !== 'status')
    return `unexpected subresource ${quote(subresource)}, only status updates are allowed`;
  if (operation !== 'UPDATE') return `unexpected operation ${quote(operation)}`;
  const rest = (claim: KubernetesObject | undefined) => {
    const { managedFields, resourceVersion, ...metadata } = claim?.metadata ?? {};
    const { capacity, conditions, allocatedResourceStatuses, allocatedResources, ...status } =
      (claim?.status ?? {}) as Record<string, unknown>;
    return { metadata, spec: claim?.spec, status };
  };
  return same(rest(object), rest(oldObject))
    ? undefined
    : `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

/** A node may only request tokens bound to its pods. */
async function tokenError(
  { namespace, object }: AdmissionRequest,
  node: string,
  { pod: find }: Listers,
): Promise<string | undefined> {
  const { apiVersion, kind, name = '', uid = '' } = (object as TokenRequest).spec?.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') return 'node requested token not bound to a pod';
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = await find(namespace, name);
  if (pod === undefined) throw absent('pod', name);
  if (pod.metadata?.uid !== uid)
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  return specOf(pod).nodeName === node
    ? undefined
    : 'node requested token bound to a pod scheduled on a different node';
}

function sliceError({ operation, object, oldObject }: AdmissionRequest, node: string): string | undefined {
  const slice = operation === 'CREATE' ? object : operation === 'DELETE' ? oldObject : undefined;
  return slice === undefined || specOf(slice).nodeName === node
    ? undefined
    : 'can only create/delete ResourceSlices with same NodeName as the requesting node';
}

/** Whether two values are equal, regardless of the order of members. */
const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const canonical = (part: unknown): string =>
  JSON.stringify(part ?? null, (_key, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
      : value,
  );
