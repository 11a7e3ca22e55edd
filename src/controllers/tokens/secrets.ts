import type { Secret } from '../../model/generated/core-v1.ts';
import { getMember } from '../../model/object.ts';
import type { Resource } from '../../reconcile/client.ts';

export const SECRETS: Resource = { group: '', version: 'v1', resource: 'secrets', kind: 'Secret' };
export const ACCOUNT_TOKEN = 'kubernetes.io/service-account-token';
export const BOOTSTRAP_TOKEN = 'bootstrap.kubernetes.io/token';
export const SYSTEM_NAMESPACE = 'kube-system';

/** A value of a secret as text; empty when absent. */
export const textOf = ({ data = {} }: Secret, key: string): string =>
  Buffer.from(String(getMember(data, key) ?? ''), 'base64').toString();

/**
 * Expiry of a bootstrap token, milliseconds since the epoch: infinite without a time, in the past for an
 * unparsable one.
 */
export function expirationOf(secret: Secret): number {
  const text = textOf(secret, 'expiration');
  if (text === '') return Number.POSITIVE_INFINITY;
  const time = Date.parse(text);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
