import { isDeepStrictEqual } from 'node:util';
import { quote } from '../../errors/quote.ts';
import { type KubernetesObject, type OwnerReference, parseApiVersion } from '../../model/object.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import {
  type Attributes,
  type Authorizer,
  type AuthorizerResult,
  resourceAccess,
} from '../../request/attributes.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

/** A served resource with its version. */
export interface OwnerResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface OwnerReferencesOptions {
  readonly authorizer: Authorizer;
  /** The resource that serves a kind; undefined if none does. */
  readonly resourceOfKind: (group: string, version: string, kind: string) => OwnerResource | undefined;
}

/**
 * Protects owner references: changing them needs the verb `delete` on the object, and setting
 * `blockOwnerDeletion` needs `update` on the subresource `finalizers` of the owner.
 */
export function ownerReferencesPermissionEnforcement({
  authorizer,
  resourceOfKind,
}: OwnerReferencesOptions): BuiltinPlugin {
  const require = async (
    request: AdmissionRequest,
    attributes: Omit<Attributes, 'user' | 'isResource' | 'path'>,
    problem: string,
  ): Promise<void> => {
    const result = await authorizer.authorize(resourceAccess({ ...attributes, user: request.user }));
    if (result.decision !== 'allow') throw admissionForbidden(request, `${problem}: ${explain(result)}`);
  };

  const checkOwner = async (request: AdmissionRequest, owner: OwnerReference): Promise<void> => {
    const { apiVersion = '', kind = '', name = '' } = owner;
    const parsed = parseApiVersion(apiVersion);
    const row = parsed && resourceOfKind(parsed.group, parsed.version, kind);
    if (row === undefined)
      throw admissionForbidden(
        request,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${
          parsed === undefined
            ? `unexpected GroupVersion string: ${apiVersion}`
            : `no matches for kind ${quote(kind)} in version ${quote(apiVersion)}`
        }`,
      );
    await require(request, {
      verb: 'update',
      group: row.group,
      version: row.version,
      resource: row.resource,
      subresource: 'finalizers',
      namespace: row.namespaced ? request.namespace : '',
      name,
    }, "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on");
  };

  return {
    // Old kubelets corrupt the references in pods/status; updates of the status cannot change them.
    handles: (operation, group, resource, subresource) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      !(group === '' && resource === 'pods' && subresource === 'status'),
    validate(request) {
      const owners = ownersOf(request.object);
      const before = ownersOf(request.oldObject);
      if (owners.length === 0 && before.length === 0) return;
      if (isDeepStrictEqual(owners, before)) return;
      return enforce(request, newBlocking(owners, before));
    },
  };

  async function enforce(request: AdmissionRequest, blocking: readonly OwnerReference[]): Promise<void> {
    const { operation, resource, subresource, namespace, name } = request;
    if (operation !== 'CREATE')
      await require(request, {
        verb: 'delete',
        ...resource,
        subresource,
        namespace,
        name,
      }, "cannot set an ownerRef on a resource you can't delete");
    for (const owner of blocking) await checkOwner(request, owner);
  }
}

const ownersOf = (object: KubernetesObject | undefined): readonly OwnerReference[] =>
  object?.metadata?.ownerReferences ?? [];

/** The references that block the owner's deletion and did not before. */
function newBlocking(
  owners: readonly OwnerReference[],
  before: readonly OwnerReference[],
): readonly OwnerReference[] {
  const blocked = new Set(
    before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(({ uid }) => uid),
  );
  return owners.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion === true && !blocked.has(uid));
}

const explain = ({ reason, error }: AuthorizerResult): string => `${reason}, ${error?.message ?? '<nil>'}`;
