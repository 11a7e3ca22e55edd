import type { GroupVersionKind, GroupVersionResource } from '../../model/object.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import type { UserInfo } from '../../request/user.ts';
import { requestNamespace } from './rules.ts';

/** The resource and kind in which a webhook or policy sees a request. */
export interface SeenVersion {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** The user of a request as JSON; empty members are left out, as in AdmissionReviews. */
export const userInfoOf = ({ name, uid, groups, extra }: UserInfo): object => ({
  ...(name === '' ? {} : { username: name }),
  ...(uid === '' ? {} : { uid }),
  ...(groups.length === 0 ? {} : { groups }),
  ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
});

/** The members of an AdmissionReview's request without its uid and objects, in wire order. */
export function requestMembers(
  request: AdmissionRequest,
  { kind, resource }: SeenVersion,
): { readonly [member: string]: unknown } {
  const { subresource, operation, dryRun, options, user } = request;
  const namespace = requestNamespace(request);
  return {
    kind: gvk(kind),
    resource: gvr(resource),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: gvk(request.kind),
    requestResource: gvr(request.resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(request.name === '' ? {} : { name: request.name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfoOf(user),
    dryRun,
    options: options ?? null,
  };
}

const gvk = ({ group, version, kind }: GroupVersionKind) => ({ group, version, kind });
const gvr = ({ group, version, resource }: GroupVersionResource) => ({ group, version, resource });
