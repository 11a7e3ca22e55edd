import type { Authenticated } from '../request/authenticator.ts';
import { GROUP_AUTHENTICATED, NO_EXTRA, type UserInfo } from '../request/user.ts';

/** Extra attribute that names the credential of a request (certificate hash, token id). */
export const CREDENTIAL_ID_KEY = 'authentication.kubernetes.io/credential-id';

/** Creates an authenticated user: appends the group `system:authenticated` when it is missing. */
export function authenticatedUser(
  name: string,
  uid: string,
  groups: readonly string[],
  extra: ReadonlyMap<string, readonly string[]> = NO_EXTRA,
): UserInfo {
  return {
    name,
    uid,
    extra,
    groups: groups.includes(GROUP_AUTHENTICATED) ? groups : [...groups, GROUP_AUTHENTICATED],
  };
}

/** Adds the group `system:authenticated` to a result. */
export function withAuthenticatedGroup(authenticated: Authenticated): Authenticated {
  const { user } = authenticated;
  return user.groups.includes(GROUP_AUTHENTICATED)
    ? authenticated
    : { ...authenticated, user: { ...user, groups: [...user.groups, GROUP_AUTHENTICATED] } };
}
