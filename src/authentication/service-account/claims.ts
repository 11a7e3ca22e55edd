/** Reads a claim that must be an object; anything else reads as an empty one. */
export const objectClaim = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Reads a claim that must be text; anything else reads as empty. */
export const textClaim = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The audiences of a token: one text or a list of them. */
export function audienceClaim(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** Clocks of servers differ a little. */
const LEEWAY_SECONDS = 60;

/** Why a token isn't good at this time, or undefined. @param now seconds */
export function timeClaimsError({ exp, nbf, iat }: Readonly<Record<string, unknown>>, now: number): string | undefined {
  if (typeof nbf === 'number' && now + LEEWAY_SECONDS < nbf) return 'service account token is not valid yet';
  if (typeof exp === 'number' && now - LEEWAY_SECONDS > exp) return 'service account token has expired';
  if (typeof iat === 'number' && now + LEEWAY_SECONDS < iat) return 'service account token is issued in the future';
  return undefined;
}
