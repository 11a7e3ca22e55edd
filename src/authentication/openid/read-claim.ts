import { jsonTypeOf } from '../../codec/type-meta.ts';
import { AuthenticationError } from '../../request/authenticator.ts';

export type Claims = Readonly<Record<string, unknown>>;

export const hasClaim = (claims: Claims, name: string): boolean => Object.hasOwn(claims, name);

/** A required claim. @param what subject of the error message @throws AuthenticationError */
function claimOf(claims: Claims, name: string, what: string): unknown {
  if (!hasClaim(claims, name)) throw new AuthenticationError(`oidc: parse ${what}: claim not present`);
  return claims[name];
}

/**
 * A string claim; null reads as an empty string.
 * @throws AuthenticationError without the value
 */
export function readText(claims: Claims, name: string, what: string): string {
  const value = claimOf(claims, name, what);
  if (typeof value === 'string') return value;
  if (value === null) return '';
  throw new AuthenticationError(
    `oidc: parse ${what}: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type string`,
  );
}

/**
 * A claim with a string or a list of strings; null reads as an empty list.
 * @throws AuthenticationError
 */
export function readTexts(claims: Claims, name: string, what: string): string[] {
  const value = claimOf(claims, name, what);
  if (value === null) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || one === null))
    return value.map((one) => one ?? '');
  throw new AuthenticationError(
    `oidc: parse ${what}: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type string`,
  );
}

/** A boolean claim; null reads as false. @throws AuthenticationError */
export function readBoolean(claims: Claims, name: string, what: string): boolean {
  const value = claimOf(claims, name, what);
  if (typeof value === 'boolean' || value === null) return value === true;
  throw new AuthenticationError(
    `oidc: parse ${what}: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type bool`,
  );
}
