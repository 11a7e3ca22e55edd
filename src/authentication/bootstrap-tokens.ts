import { timingSafeEqual } from 'node:crypto';
import { getMember, type KubernetesObject } from '../model/object.ts';
import type { Authenticated, TokenAuthenticator } from '../request/authenticator.ts';
import type { ClusterClock } from '../time/clock.ts';
import { intersectAudiences } from './bearer.ts';
import { authenticatedUser } from './user.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const SECRET_TYPE = 'bootstrap.kubernetes.io/token';
const BASE_GROUP = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

export interface BootstrapTokenOptions {
  /** Looks up a secret in the namespace kube-system. */
  readonly secret: (name: string) => KubernetesObject | undefined | Promise<KubernetesObject | undefined>;
  readonly audiences: readonly string[];
  /** The cluster's time, milliseconds. */
  readonly now: ClusterClock['now'];
}

/**
 * Authenticates bootstrap tokens (`--enable-bootstrap-token-auth`) against their secrets.
 */
export function bootstrapTokenAuthenticator({
  secret: find,
  audiences: own,
  now,
}: BootstrapTokenOptions): TokenAuthenticator {
  const check = (
    secret: KubernetesObject | undefined,
    id: string,
    password: string,
    audiences: readonly string[],
  ): Authenticated | undefined => {
    const groups = secret === undefined ? undefined : groupsOf(secret, id, password, now());
    return groups === undefined
      ? undefined
      : { user: authenticatedUser(`system:bootstrap:${id}`, '', groups), audiences };
  };
  return {
    name: 'bootstrap-token',
    authenticateToken(token, requestedAudiences) {
      const [, id, password] = TOKEN.exec(token) ?? [];
      const audiences = intersectAudiences(own, requestedAudiences);
      if (id === undefined || password === undefined || audiences === undefined) return undefined;
      const secret = find(`bootstrap-token-${id}`);
      return secret instanceof Promise
        ? secret.then((late) => check(late, id, password, audiences))
        : check(secret, id, password, audiences);
    },
  };
}

/** The groups of a valid token; undefined when the secret does not validate it. */
function groupsOf(
  secret: KubernetesObject,
  id: string,
  password: string,
  time: number,
): string[] | undefined {
  const data = (secret.data ?? {}) as object;
  const read = (key: string): string =>
    Buffer.from(String(getMember(data, key) ?? ''), 'base64').toString('utf8');
  if (secret.type !== SECRET_TYPE || secret.metadata?.deletionTimestamp !== undefined) return undefined;
  const stored = Buffer.from(read('token-secret'));
  const given = Buffer.from(password);
  if (stored.length !== given.length || !timingSafeEqual(stored, given) || read('token-id') !== id)
    return undefined;
  const expiration = read('expiration');
  // An unparsable time counts as expired.
  if (expiration !== '' && !(Date.parse(expiration) > time)) return undefined;
  if (read('usage-bootstrap-authentication') !== 'true') return undefined;
  const extra = read('auth-extra-groups');
  const groups = extra === '' ? [] : extra.split(',');
  return groups.every((group) => EXTRA_GROUP.test(group)) ? [...new Set([BASE_GROUP, ...groups])] : undefined;
}
