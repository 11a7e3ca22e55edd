import type { Authenticated, TokenAuthenticator } from '../request/authenticator.ts';
import { intersectAudiences } from './bearer.ts';
import { parseCsv } from './csv.ts';
import { createTokenDigest } from './token-cache.ts';
import { authenticatedUser } from './user.ts';

export interface TokenFile {
  readonly authenticator: TokenAuthenticator;
  /** Warnings about empty and duplicate tokens. */
  readonly warnings: readonly string[];
}

/**
 * Parses static tokens (`--token-auth-file`): lines of token, user name, user uid and optionally a quoted,
 * comma-separated list of groups. An empty fourth column is the group with the empty name; further columns
 * are ignored; the last of duplicate tokens takes effect.
 * @param path file name for errors
 * @throws Error for invalid CSV or fewer than three columns: the server must not start
 */
export function readTokenFile(text: string, path: string, audiences: readonly string[]): TokenFile {
  const digest = createTokenDigest();
  const users = new Map<string, Authenticated>();
  const warnings: string[] = [];
  let number = 0;
  for (const record of parseCsv(text)) {
    if (record.length < 3)
      throw new Error(
        `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    number += 1;
    const [token, name, uid, groups] = record as [string, string, string, string | undefined];
    if (token === '') {
      warnings.push(`empty token has been found in token file '${path}', record number '${number}'`);
      continue;
    }
    const key = digest(token);
    if (users.has(key))
      warnings.push(`duplicate token has been found in token file '${path}', record number '${number}'`);
    users.set(key, {
      user: authenticatedUser(name, uid, groups === undefined ? [] : groups.split(',')),
      audiences,
    });
  }
  return { warnings, authenticator: staticTokens((token) => users.get(digest(token)), audiences) };
}

function staticTokens(
  find: (token: string) => Authenticated | undefined,
  own: readonly string[],
): TokenAuthenticator {
  return {
    name: 'token-file',
    authenticateToken(token, requestedAudiences) {
      const authenticated = find(token);
      if (authenticated === undefined) return undefined;
      const audiences = intersectAudiences(own, requestedAudiences);
      if (audiences === undefined) return undefined;
      return audiences === own ? authenticated : { user: authenticated.user, audiences };
    },
  };
}
