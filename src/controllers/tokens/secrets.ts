import type { Secret } from '../../model/generated/core-v1.ts';
import { getMember } from '../../model/object.ts';
import type { Resource } from '../client.ts';

export const SECRETS: Resource = { group: '', version: 'v1', resource: 'secrets', kind: 'Secret' };
export const ACCOUNT_TOKEN = 'kubernetes.io/service-account-token';
export const BOOTSTRAP_TOKEN = 'bootstrap.kubernetes.io/token';
export const SYSTEM_NAMESPACE = 'kube-system';

/** A value of a secret as text; empty when there is none. */
export const textOf = ({ data = {} }: Secret, key: string): string =>
  Buffer.from(String(getMember(data, key) ?? ''), 'base64').toString();

/**
 * When a bootstrap token ends, in milliseconds since the epoch: never without a time, in the past when the
 * time can't be read.
 */
export function expirationOf(secret: Secret): number {
  const text = textOf(secret, 'expiration');
  if (text === '') return Number.POSITIVE_INFINITY;
  const time = Date.parse(text);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
