import type { Authenticated } from '../request/authenticator.ts';
import {
  ANONYMOUS_USER,
  GROUP_AUTHENTICATED,
  GROUP_UNAUTHENTICATED,
  NO_EXTRA,
  type UserInfo,
} from '../request/user.ts';

/** Extra attribute that names the credential of a request (certificate hash, token id). */
export const CREDENTIAL_ID_KEY = 'authentication.kubernetes.io/credential-id';

/** Creates an authenticated user, in the group `system:authenticated` unless it counts as anonymous. */
export function authenticatedUser(
  name: string,
  uid: string,
  groups: readonly string[],
  extra: ReadonlyMap<string, readonly string[]> = NO_EXTRA,
): UserInfo {
  return { name, uid, extra, groups: withGroup(name, groups) };
}

/** Adds the group `system:authenticated` to a result whose user does not count as anonymous. */
export function withAuthenticatedGroup(authenticated: Authenticated): Authenticated {
  const { user } = authenticated;
  const groups = withGroup(user.name, user.groups);
  return groups === user.groups ? authenticated : { ...authenticated, user: { ...user, groups } };
}

/** A credential may name the anonymous user or group: such a user has the rights of anonymous requests only. */
const withGroup = (name: string, groups: readonly string[]): readonly string[] =>
  name === ANONYMOUS_USER || groups.includes(GROUP_AUTHENTICATED) || groups.includes(GROUP_UNAUTHENTICATED)
    ? groups
    : [...groups, GROUP_AUTHENTICATED];
