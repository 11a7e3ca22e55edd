import type { ReviewClient } from '../outbound/review-client.ts';
import {
  type Authenticated,
  AuthenticationError,
  type TokenAuthenticator,
} from '../request/authenticator.ts';
import { audienceClaim, objectClaim, textClaim } from './service-account/claims.ts';
import { authenticatedUser } from './user.ts';

export interface TokenWebhookOptions {
  readonly client: ReviewClient;
  /** Version of TokenReview that the webhook speaks. */
  readonly version: 'v1' | 'v1beta1';
  /** Audiences of this server: what a webhook that names none vouches for. */
  readonly audiences: readonly string[];
}

/**
 * Asks a webhook whose token it is (`--authentication-token-webhook-config-file`). Rejects when it gives no
 * answer.
 */
export function webhookTokenAuthenticator({
  client,
  version,
  audiences: own,
}: TokenWebhookOptions): TokenAuthenticator {
  return {
    name: 'token-webhook',
    async authenticateToken(token, wanted = own) {
      const answer = await client.post({
        kind: 'TokenReview',
        apiVersion: `authentication.k8s.io/${version}`,
        metadata: { creationTimestamp: null },
        spec: { token, ...(wanted.length === 0 ? {} : { audiences: wanted }) },
        status: { user: {} },
      });
      return readStatus(objectClaim(answer.status), own, wanted);
    },
  };
}

/** @throws AuthenticationError with what the webhook says is wrong */
function readStatus(
  status: Readonly<Record<string, unknown>>,
  own: readonly string[],
  wanted: readonly string[],
): Authenticated | undefined {
  const named = audienceClaim(status.audiences);
  const audiences = wanted.filter((audience) => (named.length === 0 ? own : named).includes(audience));
  if (wanted.length > 0 && audiences.length === 0) return undefined;
  if (status.authenticated !== true) {
    const text = textClaim(status.error);
    if (text !== '') throw new AuthenticationError(text);
    return undefined;
  }
  const user = objectClaim(status.user);
  const extra = new Map(
    Object.entries(objectClaim(user.extra)).map(([key, values]) => [key, audienceClaim(values)]),
  );
  return {
    user: authenticatedUser(textClaim(user.username), textClaim(user.uid), audienceClaim(user.groups), extra),
    audiences,
  };
}
