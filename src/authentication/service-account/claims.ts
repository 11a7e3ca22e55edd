import { isJsonObject, membersOf } from '../../model/json-object.ts';

/** Reads a string claim; another type reads as an empty string. */
export const textClaim = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The audiences of a token: one string or a list. */
export function audienceClaim(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isText = (value: unknown): boolean => isAbsent(value) || typeof value === 'string';
/** A time in seconds, in the range of a 64-bit integer. */
const isTime = (value: unknown): boolean =>
  isAbsent(value) || (typeof value === 'number' && Math.abs(value) < 2 ** 63);
const isAudience = (value: unknown): boolean =>
  value === undefined ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

function isReference(value: unknown): boolean {
  if (isAbsent(value)) return true;
  const { name, uid } = membersOf(value);
  return isJsonObject(value) && isText(name) && isText(uid);
}

function areBindings(value: unknown): boolean {
  if (isAbsent(value)) return true;
  const { namespace, serviceaccount, pod, secret, node, warnafter } = membersOf(value);
  return (
    isJsonObject(value) &&
    isText(namespace) &&
    [serviceaccount, pod, secret, node].every(isReference) &&
    isTime(warnafter)
  );
}

/**
 * The first claim of a service account token with an invalid type; undefined when all are valid.
 */
export function invalidClaim(claims: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of ['exp', 'nbf', 'iat']) if (!isTime(claims[name])) return name;
  for (const name of ['iss', 'sub', 'jti']) if (!isText(claims[name])) return name;
  if (!isAudience(claims['aud'])) return 'aud';
  return areBindings(claims['kubernetes.io']) ? undefined : 'kubernetes.io';
}

/** Allowed clock skew. */
const LEEWAY_SECONDS = 60;

/** Why a token is not valid at this time; undefined when it is. @param now seconds */
export function timeClaimsError(
  { exp, nbf, iat }: Readonly<Record<string, unknown>>,
  now: number,
): string | undefined {
  if (typeof nbf === 'number' && now + LEEWAY_SECONDS < nbf) return 'service account token is not valid yet';
  if (typeof exp === 'number' && now - LEEWAY_SECONDS > exp) return 'service account token has expired';
  if (typeof iat === 'number' && now + LEEWAY_SECONDS < iat)
    return 'service account token is issued in the future';
  return undefined;
}
