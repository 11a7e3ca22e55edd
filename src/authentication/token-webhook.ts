import { fromPlain } from '../codec/typed.ts';
import { internalTypes } from '../model/internal-types.ts';
import { membersOf } from '../model/json-object.ts';
import type { ReviewClient } from '../outbound/review-client.ts';
import { checkReviewKind } from '../outbound/review-document.ts';
import {
  type Authenticated,
  AuthenticationError,
  type TokenAuthenticator,
} from '../request/authenticator.ts';
import { audienceClaim, textClaim } from './service-account/claims.ts';
import { authenticatedUser } from './user.ts';

const KIND = {
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  versions: ['v1', 'v1beta1'],
  others: ['SelfSubjectReview'],
};

export interface TokenWebhookOptions {
  readonly client: ReviewClient;
  /** Version of TokenReview that the webhook supports. */
  readonly version: 'v1' | 'v1beta1';
  /** Audiences of this server, assumed when the webhook returns none. */
  readonly audiences: readonly string[];
  /** What the release writes as empty metadata. */
  readonly metadata: object;
}

/**
 * Authenticates tokens with a webhook (`--authentication-token-webhook-config-file`). Rejects when the
 * webhook fails.
 */
export function webhookTokenAuthenticator({
  client,
  version,
  audiences: own,
  metadata,
}: TokenWebhookOptions): TokenAuthenticator {
  return {
    name: 'token-webhook',
    async authenticateToken(token, requested = own) {
      const answer = await client.post({
        kind: 'TokenReview',
        apiVersion: `authentication.k8s.io/${version}`,
        metadata,
        spec: { token, ...(requested.length === 0 ? {} : { audiences: requested }) },
        status: { user: {} },
      });
      checkReviewKind(answer, KIND, version);
      // Members of wrong types fail the call.
      const { value } = fromPlain(internalTypes.ofKind(KIND.group, version, KIND.kind)!, answer);
      return readStatus(membersOf((value as { readonly status?: object }).status), own, requested);
    },
  };
}

/** @throws AuthenticationError with the error of the webhook */
function readStatus(
  status: Readonly<Record<string, unknown>>,
  own: readonly string[],
  requested: readonly string[],
): Authenticated | undefined {
  const returned = audienceClaim(status.audiences);
  const audiences = requested.filter((audience) =>
    (returned.length === 0 ? own : returned).includes(audience),
  );
  if (requested.length > 0 && audiences.length === 0) return undefined;
  if (status.authenticated !== true) {
    const text = textClaim(status.error);
    if (text !== '') throw new AuthenticationError(text);
    return undefined;
  }
  const user = membersOf(status.user);
  const extra = new Map(
    Object.entries(membersOf(user.extra)).map(([key, values]) => [key, audienceClaim(values)]),
  );
  return {
    user: authenticatedUser(textClaim(user.username), textClaim(user.uid), audienceClaim(user.groups), extra),
    audiences,
  };
}
