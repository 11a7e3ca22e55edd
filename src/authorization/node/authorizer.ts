import { quote } from '../../errors/quote.ts';
import type { PolicyRule } from '../../model/generated/rbac-v1.ts';
import type { Attributes, Authorizer, AuthorizerResult } from '../../request/attributes.ts';
import { nodeName } from '../../request/node-identity.ts';
import { compileRule, ruleAllows, ruleRequest } from '../rule-matching.ts';
import type { NodeRelations, RelatedKind } from './relations.ts';

const ALLOW: AuthorizerResult = { decision: 'allow', reason: '' };
const NO_OPINION: AuthorizerResult = { decision: 'no-opinion', reason: '' };
const denyRequest = (reason: string): AuthorizerResult => ({ decision: 'no-opinion', reason });

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const OWN_VERBS: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);
const LEASE_NAMESPACE = 'kube-node-lease';

export interface NodeAuthorizerOptions {
  readonly relations: NodeRelations;
  /** Rules of every node for resources that are not restricted per node. */
  readonly rules: readonly PolicyRule[];
  /** Nodes may read only their own Node and pods (`AuthorizeNodeWithSelectors`). */
  readonly selectors: boolean;
}

type Decide = (node: string, attributes: Attributes) => AuthorizerResult | undefined;

/**
 * Allows kubelets to access the objects that are related to their node. Returns no opinion for other users.
 */
export function createNodeAuthorizer({ relations, rules, selectors }: NodeAuthorizerOptions): Authorizer {
  const compiled = rules.map(compileRule);

  const related =
    (kind: RelatedKind): Decide =>
    (node, { namespace, name }) => {
      if (name === '') return denyRequest('No Object name found');
      return relations.belongs(node, kind, namespace, name)
        ? ALLOW
        : denyRequest(`no relationship found between node '${node}' and this object`);
    };
  const gets =
    (kind: RelatedKind): Decide =>
    (node, attributes) => {
      if (attributes.verb !== 'get') return denyRequest('can only get individual resources of this type');
      return attributes.subresource === ''
        ? related(kind)(node, attributes)
        : denyRequest('cannot get subresource');
    };
  const reads =
    (kind: RelatedKind): Decide =>
    (node, attributes) => {
      if (!READING.has(attributes.verb)) return denyRequest('can only read resources of this type');
      if (attributes.subresource !== '') return denyRequest('cannot read subresource');
      return attributes.namespace === ''
        ? denyRequest('can only read namespaced object of this type')
        : related(kind)(node, attributes);
    };
  const claims: Decide = (node, attributes) => {
    if (attributes.subresource !== 'status') return gets('pvc')(node, attributes);
    return attributes.verb === 'update' || attributes.verb === 'patch'
      ? related('pvc')(node, attributes)
      : denyRequest('can only update/patch the status of this type');
  };
  const tokens: Decide = (node, attributes) => {
    if (attributes.verb !== 'create' || attributes.name === '')
      return denyRequest('can only create tokens for individual service accounts');
    return attributes.subresource === 'token'
      ? related('serviceaccount')(node, attributes)
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
        return related('resourceslice')(node, attributes);
      case 'list':
      case 'watch':
      case 'deletecollection':
        return !selectors || selectsNode(attributes, node)
          ? ALLOW
          : denyRequest('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return denyRequest(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
        );
    }
  };
  const pods: Decide = (node, attributes) => {
    if (!selectors) return undefined;
    switch (`${attributes.verb} ${attributes.subresource}`) {
      case 'get ':
        return related('pod')(node, attributes);
      case 'list ':
      case 'watch ':
        if (selectsNode(attributes, node)) return ALLOW;
        return attributes.name === ''
          ? denyRequest('can only list/watch pods with spec.nodeName field selector')
          : related('pod')(node, attributes);
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
  const nodes: Decide = (node, attributes) => (selectors ? ownNode(node, attributes) : undefined);
  const byResource: ReadonlyMap<string, Decide> = new Map([
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
    ['/nodes', nodes],
    ['/pods', pods],
  ]);

  return {
    name: 'Node',
    authorize(attributes) {
      const node = nodeName(attributes.user);
      if (node === undefined) return NO_OPINION;
      if (node === '') return denyRequest(`unknown node for user ${quote(attributes.user.name)}`);
      if (attributes.isResource) {
        const result = byResource.get(`${attributes.group}/${attributes.resource}`)?.(node, attributes);
        if (result !== undefined) return result;
      }
      const request = ruleRequest(attributes);
      return compiled.some((rule) => ruleAllows(rule, request)) ? ALLOW : NO_OPINION;
    },
    rulesFor: (user) => ({
      resourceRules: [],
      nonResourceRules: [],
      ...(nodeName(user) === undefined
        ? { incomplete: false }
        : { incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' }),
    }),
  };
}

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
function lease(node: string, { verb, namespace, name }: Attributes): AuthorizerResult {
  if (!OWN_VERBS.has(verb)) return denyRequest('can only get, create, update, patch, or delete a node lease');
  if (namespace !== LEASE_NAMESPACE)
    return denyRequest(`can only access leases in the "${LEASE_NAMESPACE}" system namespace`);
  return verb === 'create' || name === node
    ? ALLOW
    : denyRequest('can only access node lease with the same name as the requesting node');
}

function csiNode(node: string, { verb, subresource, name }: Attributes): AuthorizerResult {
  if (!OWN_VERBS.has(verb)) return denyRequest('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return denyRequest('cannot authorize CSINode subresources');
  return verb === 'create' || name === node
    ? ALLOW
    : denyRequest('can only access CSINode with the same name as the requesting node');
}

function ownNode(node: string, { verb, subresource, name }: Attributes): AuthorizerResult {
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
