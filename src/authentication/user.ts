import type { Authenticated } from '../request/authenticator.ts';
import { GROUP_AUTHENTICATED, NO_EXTRA, type UserInfo } from '../request/user.ts';

/** Extra attribute that names the credential of a request (certificate hash, token id). */
export const CREDENTIAL_ID_KEY = 'authentication.kubernetes.io/credential-id';

/** A user who proved who they are: the group `system:authenticated` is appended when it is missing. */
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

/** Gives the answer of any authenticator the group that every authenticated user has. */
export function withAuthenticatedGroup(authenticated: Authenticated): Authenticated {
  const { user } = authenticated;
  return user.groups.includes(GROUP_AUTHENTICATED)
    ? authenticated
    : { ...authenticated, user: { ...user, groups: [...user.groups, GROUP_AUTHENTICATED] } };
}
