/** The user of a request, created by an authenticator and interpreted by authorizers. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Extra attributes; a Map because keys come from clients. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

export const NO_EXTRA: ReadonlyMap<string, readonly string[]> = new Map();
export const ANONYMOUS_USER = 'system:anonymous';
export const GROUP_AUTHENTICATED = 'system:authenticated';
export const GROUP_UNAUTHENTICATED = 'system:unauthenticated';
export const GROUP_MASTERS = 'system:masters';

const GROUP_SERVICE_ACCOUNTS = 'system:serviceaccounts';

/** The user name of a service account. */
export const serviceAccountUserName = (namespace: string, name: string): string =>
  `system:serviceaccount:${namespace}:${name}`;

/** The groups of every service account of a namespace, without those of every authenticated user. */
export const serviceAccountGroups = (namespace: string): string[] => [
  GROUP_SERVICE_ACCOUNTS,
  `${GROUP_SERVICE_ACCOUNTS}:${namespace}`,
];

/** An authenticated service account. */
export const serviceAccountUser = (
  namespace: string,
  name: string,
  uid = '',
  extra: ReadonlyMap<string, readonly string[]> = NO_EXTRA,
): UserInfo => ({
  name: serviceAccountUserName(namespace, name),
  uid,
  groups: [...serviceAccountGroups(namespace), GROUP_AUTHENTICATED],
  extra,
});
