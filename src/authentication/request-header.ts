import type { Certificate } from '../pki/certificate.ts';
import {
  type Authenticated,
  AuthenticationError,
  type Authenticator,
  type Credentials,
} from '../request/authenticator.ts';
import { headerKey, headerText } from '../request/header-text.ts';
import type { ProcessClock } from '../time/clock.ts';
import { authenticatedUser } from './user.ts';
import { createPeerVerifier } from './x509/peers.ts';
import { subjectOf } from './x509/subject.ts';

export interface RequestHeaderOptions {
  /** Current CAs of proxies (`--requestheader-client-ca-file`). */
  readonly authorities: () => readonly Certificate[];
  /** Allowed common names of proxies; empty: any. */
  readonly allowedNames: readonly string[];
  /** Header names, in order of precedence. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** Wall clock of the process, milliseconds. */
  readonly now: ProcessClock['now'];
}

/**
 * Authenticates users named by an authenticating proxy. The headers are used only on connections with the
 * client certificate of an allowed proxy and ignored otherwise.
 */
export function requestHeaderAuthenticator(options: RequestHeaderOptions): Authenticator {
  const { authorities, now, allowedNames } = options;
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  const names = {
    user: lower(options.usernameHeaders),
    uid: lower(options.uidHeaders),
    group: lower(options.groupHeaders),
  };
  const prefixes = lower(options.extraHeaderPrefixes);
  const verify = createPeerVerifier({
    authorities,
    now,
    describe(leaf) {
      const { commonName } = subjectOf(leaf.x509);
      if (allowedNames.length > 0 && !allowedNames.includes(commonName))
        throw new AuthenticationError(`subject with cn=${commonName} is not in the allowed list`);
      return { commonName };
    },
  });
  return {
    name: 'request-header',
    authenticate(credentials) {
      const { peerCertificates } = credentials;
      if (peerCertificates === undefined || peerCertificates.length === 0) return undefined;
      verify(peerCertificates);
      const user = first(credentials, names.user);
      if (user === '') return undefined;
      const groups = names.group.flatMap((name) =>
        credentials
          .headerValues(name)
          .filter((value) => value !== '')
          .map(headerText),
      );
      const authenticated: Authenticated = {
        user: authenticatedUser(user, first(credentials, names.uid), groups, extraOf(credentials, prefixes)),
      };
      return authenticated;
    },
  };
}

/** The first non-empty value; only the first value of a repeated header is used. */
function first(credentials: Credentials, names: readonly string[]): string {
  for (const name of names) {
    const [value = ''] = credentials.headerValues(name);
    if (value !== '') return headerText(value);
  }
  return '';
}

/** Extra attributes; a key is the header name after the prefix, in lower case and percent-decoded. */
function extraOf(
  credentials: Credentials,
  prefixes: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [header, value] of credentials.headers()) {
      const name = header.toLowerCase();
      if (!name.startsWith(prefix)) continue;
      const key = headerKey(name.slice(prefix.length));
      const values = extra.get(key);
      if (values === undefined) extra.set(key, [headerText(value)]);
      else values.push(headerText(value));
    }
  }
  return extra;
}
