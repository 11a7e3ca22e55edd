import type { Attributes, AuthorizerResult } from '../../request/attributes.ts';
import type { NodeRelations, RelatedKind } from './relations.ts';

export const ALLOW: AuthorizerResult = { decision: 'allow', reason: '' };
export const NO_OPINION: AuthorizerResult = { decision: 'no-opinion', reason: '' };
export const denyRequest = (reason: string): AuthorizerResult => ({ decision: 'no-opinion', reason });

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const OWN_VERBS: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);
const LEASE_NAMESPACE = 'kube-node-lease';

/** The node that asks, and what its access depends on. */
export interface AskingNode {
  readonly name: string;
  readonly relations: NodeRelations;
  /** Nodes may read only their own Node and pods (`AuthorizeNodeWithSelectors`). */
  readonly selectors: boolean;
}

/** Decides about the access of a node to a resource; undefined if the rules of every node decide. */
type Decide = (node: AskingNode, attributes: Attributes) => AuthorizerResult | undefined;

const related =
  (kind: RelatedKind): Decide =>
  ({ name: node, relations }, { namespace, name }) => {
    if (name === '') return denyRequest('No Object name found');
    return relations.belongs(node, kind, namespace, name)
      ? ALLOW
      : denyRequest(`no relationship found between node '${node}' and this object`);
  };
const relatedPod = related('pod');
const relatedClaim = related('pvc');
const relatedSlice = related('resourceslice');
const relatedAccount = related('serviceaccount');

function gets(kind: RelatedKind): Decide {
  const isRelated = related(kind);
  return (node, attributes) => {
    if (attributes.verb !== 'get') return denyRequest('can only get individual resources of this type');
    return attributes.subresource === ''
      ? isRelated(node, attributes)
      : denyRequest('cannot get subresource');
  };
}

function reads(kind: RelatedKind): Decide {
  const isRelated = related(kind);
  return (node, attributes) => {
    if (!READING.has(attributes.verb)) return denyRequest('can only read resources of this type');
    if (attributes.subresource !== '') return denyRequest('cannot read subresource');
    return attributes.namespace === ''
      ? denyRequest('can only read namespaced object of this type')
      : isRelated(node, attributes);
  };
}

const getsClaim = gets('pvc');
const claims: Decide = (node, attributes) => {
  if (attributes.subresource !== 'status') return getsClaim(node, attributes);
  return attributes.verb === 'update' || attributes.verb === 'patch'
    ? relatedClaim(node, attributes)
    : denyRequest('can only update/patch the status of this type');
};

const tokens: Decide = (node, attributes) => {
  if (attributes.verb !== 'create' || attributes.name === '')
    return denyRequest('can only create tokens for individual service accounts');
  return attributes.subresource === 'token'
    ? relatedAccount(node, attributes)
    : denyRequest('can only create token subresource of service account');
};

const slices: Decide = (node, attributes) => {
  if (attributes.subresource !== '') return denyRequest('cannot authorize ResourceSlice subresources');
  switch (attributes.verb) {
    case 'create':
      return ALLOW;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return relatedSlice(node, attributes);
    case 'list':
    case 'watch':
    case 'deletecollection':
      return !node.selectors || selectsNode(attributes, node.name)
        ? ALLOW
        : denyRequest('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return denyRequest(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
  }
};

const pods: Decide = (node, attributes) => {
  if (!node.selectors) return undefined;
  switch (`${attributes.verb} ${attributes.subresource}`) {
    case 'get ':
      return relatedPod(node, attributes);
    case 'list ':
    case 'watch ':
      if (selectsNode(attributes, node.name)) return ALLOW;
      return attributes.name === ''
        ? denyRequest('can only list/watch pods with spec.nodeName field selector')
        : relatedPod(node, attributes);
    // Mirror pods and pod status: the admission plugin NodeRestriction checks the node of the pod.
    case 'create ':
    case 'delete ':
    case 'update status':
    case 'patch status':
    case 'create eviction':
      return ALLOW;
    default:
      return NO_OPINION;
  }
};

/** Whether a field selector restricts a list to the node. */
const selectsNode = ({ fieldSelector }: Attributes, node: string): boolean =>
  fieldSelector?.requirements.some(
    ({ key, operator, values }) =>
      key === 'spec.nodeName' && operator === 'In' && values.length === 1 && values[0] === node,
  ) ?? false;

/**
 * Allows the node's own lease. The name is not known on create: the admission plugin NodeRestriction checks
 * it.
 */
function lease(node: AskingNode, { verb, namespace, name }: Attributes): AuthorizerResult {
  if (!OWN_VERBS.has(verb)) return denyRequest('can only get, create, update, patch, or delete a node lease');
  if (namespace !== LEASE_NAMESPACE)
    return denyRequest(`can only access leases in the "${LEASE_NAMESPACE}" system namespace`);
  return verb === 'create' || name === node.name
    ? ALLOW
    : denyRequest('can only access node lease with the same name as the requesting node');
}

function csiNode(node: AskingNode, { verb, subresource, name }: Attributes): AuthorizerResult {
  if (!OWN_VERBS.has(verb)) return denyRequest('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return denyRequest('cannot authorize CSINode subresources');
  return verb === 'create' || name === node.name
    ? ALLOW
    : denyRequest('can only access CSINode with the same name as the requesting node');
}

function ownNode(
  { name: node, selectors }: AskingNode,
  { verb, subresource, name }: Attributes,
): AuthorizerResult | undefined {
  if (!selectors) return undefined;
  const writes = verb === 'update' || verb === 'patch';
  if (subresource === 'status') return writes ? ALLOW : NO_OPINION;
  if (subresource !== '') return NO_OPINION;
  if (writes || verb === 'create') return ALLOW;
  if (!READING.has(verb)) return NO_OPINION;
  if (name === node) return ALLOW;
  return denyRequest(
    name === ''
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

/** The decisions by `group/resource`. */
export const DECISIONS: ReadonlyMap<string, Decide> = new Map([
  ['/secrets', reads('secret')],
  ['/configmaps', reads('configmap')],
  ['/persistentvolumeclaims', claims],
  ['/persistentvolumes', gets('pv')],
  ['resource.k8s.io/resourceclaims', gets('resourceclaim')],
  ['storage.k8s.io/volumeattachments', gets('volumeattachment')],
  ['/serviceaccounts', tokens],
  ['coordination.k8s.io/leases', lease],
  ['storage.k8s.io/csinodes', csiNode],
  ['resource.k8s.io/resourceslices', slices],
  ['/nodes', ownNode],
  ['/pods', pods],
]);
