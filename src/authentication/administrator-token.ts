import { timingSafeEqual } from 'node:crypto';
import { ADMINISTRATOR } from '../pki/generated-certificates.ts';
import type { TokenAuthenticator } from '../request/authenticator.ts';
import { intersectAudiences } from './bearer.ts';
import { authenticatedUser } from './user.ts';

/**
 * Accepts the one token with which `--print-token` lets the program that started the server act as the administrator
 * of its kubeconfig.
 * @param audiences that the token is for
 */
export function administratorToken(token: string, audiences: readonly string[]): TokenAuthenticator {
  const expected = Buffer.from(token);
  const user = authenticatedUser(ADMINISTRATOR.commonName, '', ADMINISTRATOR.organizations);
  return {
    name: 'administrator-token',
    authenticateToken(presented, requestedAudiences) {
      const bytes = Buffer.from(presented);
      if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return undefined;
      const granted = intersectAudiences(audiences, requestedAudiences);
      return granted === undefined ? undefined : { user, audiences: granted };
    },
  };
}
