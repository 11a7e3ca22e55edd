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
