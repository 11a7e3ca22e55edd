import type { Credentials } from '../../src/request/authenticator.ts';
import { NO_EXTRA, type UserInfo } from '../../src/request/user.ts';

/** Credentials of a request with these headers and client certificates. */
export function credentials(
  headers: Record<string, string | readonly string[]>,
  path = '/',
  peerCertificates?: Credentials['peerCertificates'],
): Credentials {
  const values = (name: string): string[] => (headers[name] === undefined ? [] : [headers[name]].flat());
  return {
    path,
    peerCertificates,
    header: (name) => values(name)[0],
    headerValues: values,
    headers: () =>
      Object.keys(headers).flatMap((name) => values(name).map((value) => [name, value] as const)),
  };
}

export const user = (name: string, groups: readonly string[] = [], uid = ''): UserInfo => ({
  name,
  uid,
  groups,
  extra: NO_EXTRA,
});
