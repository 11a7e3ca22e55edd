import type { KubernetesObject } from '../model/object.ts';
import { setMember } from '../model/object.ts';
import { AuthenticationError } from '../request/authenticator.ts';
import type { UserInfo } from '../request/user.ts';
import { errors } from '../status/errors.ts';
import { type BearerAuthenticator, parseBearer } from './bearer.ts';

/** The `userInfo` of a review; empty members are omitted. */
export function userInfoObject({ name, uid, groups, extra }: UserInfo): Record<string, unknown> {
  const extras: Record<string, readonly string[]> = {};
  for (const [key, values] of extra) setMember(extras, key, values);
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra.size === 0 ? {} : { extra: extras }),
  };
}

/**
 * Handles SelfSubjectReview. Metadata of the request is not returned.
 * @param now RFC 3339 seconds
 */
export function reviewSelfSubject(
  review: KubernetesObject,
  requester: UserInfo,
  now: string,
): KubernetesObject {
  return { ...review, metadata: { creationTimestamp: now }, status: { userInfo: userInfoObject(requester) } };
}

/**
 * Handles TokenReview. An unknown token is reported in the status, not as an error.
 * @param audiences audiences of the server, used when the review names none
 * @throws ApiError 400 without a token
 */
export async function reviewToken(
  review: KubernetesObject,
  bearer: BearerAuthenticator,
  audiences: readonly string[],
): Promise<KubernetesObject> {
  const { token = '', audiences: requested = [] } = (review.spec ?? {}) as {
    token?: string;
    audiences?: readonly string[];
  };
  if (token === '') throw errors.badRequest('token is required for TokenReview in authentication');
  // Read as from a header: blanks around the token do not count.
  const presented = parseBearer(`Bearer ${token}`) ?? token;
  const status = await statusOf(bearer, presented, requested.length === 0 ? audiences : requested);
  // What authentication does not set remains as it was sent.
  const { authenticated: _, ...sent } = (review.status ?? {}) as Record<string, unknown>;
  return { ...review, status: { user: {}, ...sent, ...status } };
}

async function statusOf(
  bearer: BearerAuthenticator,
  token: string,
  audiences: readonly string[],
): Promise<object> {
  try {
    const answer = await bearer.review(token, audiences);
    return {
      authenticated: true,
      user: userInfoObject(answer.user),
      ...(answer.audiences === undefined ? {} : { audiences: answer.audiences }),
    };
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    return { error: error.message };
  }
}
