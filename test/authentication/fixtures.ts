import type { Credentials } from '../../src/request/authenticator.ts';
import { NO_EXTRA, type UserInfo } from '../../src/request/user.ts';

/** Credentials of a request with these headers and client certificates. */
export function credentials(headers: Record<string, string>, path = '/', peerCertificates?: Credentials['peerCertificates']): Credentials {
  return { path, peerCertificates, header: (name) => headers[name], headerValues: (name) => (headers[name] === undefined ? [] : [headers[name]]) };
}

export const user = (name: string, groups: readonly string[] = [], uid = ''): UserInfo => ({ name, uid, groups, extra: NO_EXTRA });
