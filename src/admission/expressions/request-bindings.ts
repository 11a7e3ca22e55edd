import { type AuthorizationSource, cachingSource } from '../../cel/libraries/authorization-source.ts';
import { authorizerValue, requestResourceValue } from '../../cel/libraries/authorizer-values.ts';
import type { Bindings } from '../../cel/planner/frame.ts';
import { valueOfJson } from '../../cel/values/json.ts';
import type { Value } from '../../cel/values/value.ts';
import type { AdmissionRequest, VersionedObjects } from '../../request/admission.ts';
import type { Attributes, Authorizer } from '../../request/attributes.ts';
import { GROUP_AUTHENTICATED, NO_EXTRA, type UserInfo } from '../../request/user.ts';
import { requestMembers, type SeenVersion } from '../matching/request-members.ts';
import { requestNamespace } from '../matching/rules.ts';

/**
 * The variables `object`, `oldObject`, `request`, `authorizer` and `authorizer.requestResource` of an
 * expression, each made on its first use.
 */
export class RequestBindings implements Bindings {
  readonly #values = new Map<string, Value>();
  readonly #makers: ReadonlyMap<string, () => Value>;

  constructor(
    request: AdmissionRequest,
    seen: SeenVersion,
    objects: VersionedObjects,
    authorizer: Authorizer,
  ) {
    const source = () => authorizationSource(request, authorizer);
    const { resource, subresource, name } = request;
    this.#makers = new Map<string, () => Value>([
      ['object', () => valueOfJson(objects.object?.plain() ?? null)],
      ['oldObject', () => valueOfJson(objects.oldObject?.plain() ?? null)],
      ['request', () => valueOfJson(requestMembers(request, seen))],
      ['authorizer', () => authorizerValue(source())],
      [
        'authorizer.requestResource',
        () =>
          requestResourceValue(source(), {
            group: resource.group,
            resource: resource.resource,
            subresource,
            namespace: requestNamespace(request),
            name,
          }),
      ],
    ]);
  }

  get(name: string): Value | undefined {
    let value = this.#values.get(name);
    const make = value === undefined ? this.#makers.get(name) : undefined;
    if (make !== undefined) {
      value = make();
      this.#values.set(name, value);
    }
    return value;
  }
}

const SOURCE = {};

/** The authorization decisions of one request, each made once. */
function authorizationSource(
  { memory, user }: AdmissionRequest,
  authorizer: Authorizer,
): AuthorizationSource {
  return memory.get(SOURCE, () =>
    cachingSource((query) => {
      const { path, verb, group, resource, subresource, namespace, name, serviceAccount } = query;
      const attributes: Attributes = {
        user: serviceAccount === undefined ? user : accountUser(serviceAccount),
        verb,
        isResource: path === undefined,
        path: path ?? '',
        group,
        version: path === undefined ? '*' : '',
        resource,
        subresource,
        namespace,
        name,
      };
      const decided = ({ decision, reason, error }: Awaited<ReturnType<Authorizer['authorize']>>) => ({
        allowed: decision === 'allow',
        reason,
        error: error?.message,
      });
      const result = authorizer.authorize(attributes);
      return result instanceof Promise ? result.then(decided) : decided(result);
    }),
  );
}

const accountUser = ({ namespace, name }: { namespace: string; name: string }): UserInfo => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  uid: '',
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, GROUP_AUTHENTICATED],
  extra: NO_EXTRA,
});
