import { AuthenticationError } from '../../request/authenticator.ts';

export type Claims = Readonly<Record<string, unknown>>;

export const hasClaim = (claims: Claims, name: string): boolean => Object.hasOwn(claims, name);

/** A claim that must be there. @throws AuthenticationError; `what` says what is being read */
function claimOf(claims: Claims, name: string, what: string): unknown {
  if (!hasClaim(claims, name)) throw new AuthenticationError(`oidc: parse ${what}: claim not present`);
  return claims[name];
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/**
 * A claim that must be a text; null reads as an empty one.
 * @throws AuthenticationError that doesn't repeat the value
 */
export function readText(claims: Claims, name: string, what: string): string {
  const value = claimOf(claims, name, what);
  if (typeof value === 'string') return value;
  if (value === null) return '';
  throw new AuthenticationError(
    `oidc: parse ${what}: json: cannot unmarshal ${kindOf(value)} into Go value of type string`,
  );
}

/**
 * A claim that must be a text or a list of texts; null reads as no text at all.
 * @throws AuthenticationError
 */
export function readTexts(claims: Claims, name: string, what: string): string[] {
  const value = claimOf(claims, name, what);
  if (value === null) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || one === null))
    return value.map((one) => one ?? '');
  throw new AuthenticationError(
    `oidc: parse ${what}: json: cannot unmarshal ${kindOf(value)} into Go value of type string`,
  );
}

/** A claim that must be true, false or null. @throws AuthenticationError */
export function readBoolean(claims: Claims, name: string, what: string): boolean {
  const value = claimOf(claims, name, what);
  if (typeof value === 'boolean' || value === null) return value === true;
  throw new AuthenticationError(
    `oidc: parse ${what}: json: cannot unmarshal ${kindOf(value)} into Go value of type bool`,
  );
}
