import { jsonTypeOf } from '../../codec/type-meta.ts';
import { isJsonObject, membersOf } from '../../model/json-object.ts';
import { AuthenticationError } from '../../request/authenticator.ts';
import { type Claims, hasClaim } from './read-claim.ts';

/** The claims of OpenID Connect that verification reads. */
export interface StandardClaims {
  readonly audiences: readonly string[];
  /** Seconds; undefined without the claim. */
  readonly expiry: number | undefined;
  readonly notBefore: number | undefined;
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Maximum characters of a time; longer strings are invalid. */
const LONGEST_NUMBER = 64;

const unreadable = (why: string): AuthenticationError =>
  new AuthenticationError(`oidc: verify token: oidc: failed to unmarshal claims: ${why}`);
const wrongType = (value: unknown, name: string, type: string): AuthenticationError =>
  unreadable(
    `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field idToken.${name} of type ${type}`,
  );

/**
 * Reads the standard claims of a token as kube-apiserver does: names in any case, the last one counts; a time may be
 * a number in a text. A claim of the wrong type makes the token invalid, needed or not.
 * @throws AuthenticationError
 */
export function readStandardClaims(claims: Claims): StandardClaims {
  let audiences: readonly string[] = [];
  let expiry: number | undefined;
  let notBefore: number | undefined;
  let names: Claims = {};
  let sources: Claims = {};
  /** Found first, reported unless a later claim cannot be read at all. */
  let mismatch: AuthenticationError | undefined;
  for (const [key, value] of Object.entries(claims)) {
    const name = key.toLowerCase();
    if (TEXTS.has(name)) {
      if (!isText(value)) mismatch ??= wrongType(value, name, 'string');
    } else if (name === 'aud') audiences = audiencesOf(value);
    else if (name === 'iat') timeOf(value, name);
    else if (name === 'exp') expiry = timeOf(value, name);
    else if (name === 'nbf') notBefore = value === null ? undefined : timeOf(value, name);
    else if (name === '_claim_names') {
      mismatch ??= mapMismatch(value, name, 'string', isText);
      names = membersOf(value);
    } else if (name === '_claim_sources') {
      mismatch ??= mapMismatch(value, name, 'oidc.claimSource', isJsonObject);
      sources = membersOf(value);
    }
  }
  if (mismatch !== undefined) throw mismatch;
  checkSources(names, sources);
  return { audiences, expiry, notBefore };
}

const isText = (value: unknown): value is string | null => typeof value === 'string' || value === null;
const TEXTS: ReadonlySet<string> = new Set(['iss', 'sub', 'nonce', 'at_hash']);

/** The issuer of a token that is not verified yet; undefined if it cannot be read. */
export function unverifiedIssuer(claims: Claims): string | undefined {
  let issuer = '';
  for (const [key, value] of Object.entries(claims)) {
    if (key.toLowerCase() !== 'iss' || value === null) continue;
    if (typeof value !== 'string') return undefined;
    issuer = value;
  }
  return issuer;
}

function audiencesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null) return [''];
  if (!Array.isArray(value)) throw wrongType(value, 'aud', '[]string');
  return value.map((one: unknown) => {
    if (typeof one === 'string' || one === null) return one ?? '';
    throw wrongType(one, 'aud', 'string');
  });
}

/** A time in whole seconds; one beyond 64 bits lies before all others. */
function timeOf(value: unknown, name: string): number {
  if (value === null) throw unreadable('strconv.ParseFloat: parsing "": invalid syntax');
  if (typeof value === 'string' && (value.length > LONGEST_NUMBER || !NUMBER.test(value)))
    throw unreadable(
      `json: invalid number literal, trying to unmarshal ${JSON.stringify(JSON.stringify(value))} into Number`,
    );
  if (typeof value !== 'number' && typeof value !== 'string') throw wrongType(value, name, 'json.Number');
  const seconds = Math.trunc(Number(value));
  if (!Number.isFinite(seconds))
    throw unreadable(`strconv.ParseFloat: parsing ${JSON.stringify(String(value))}: value out of range`);
  return Math.abs(seconds) < 2 ** 63 ? seconds : Number.NEGATIVE_INFINITY;
}

/** The error for a claim that is not an object, or has a value of another type; null is allowed. */
function mapMismatch(
  value: unknown,
  name: string,
  type: string,
  isValid: (value: unknown) => boolean,
): AuthenticationError | undefined {
  if (value === null) return undefined;
  if (!isJsonObject(value)) return wrongType(value, name, `map[string]${type}`);
  const wrong = Object.values(value).find((one) => one !== null && !isValid(one));
  return wrong === undefined ? undefined : wrongType(wrong, name, type);
}

/** Each distributed claim needs a source. @throws AuthenticationError */
function checkSources(names: Claims, sources: Claims): void {
  for (const source of Object.values(names) as (string | null)[]) {
    if (source === '' || source === null)
      throw new AuthenticationError('oidc: verify token: oidc: failed to obtain source from claim name');
    if (!hasClaim(sources, source))
      throw new AuthenticationError('oidc: verify token: oidc: source does not exist');
  }
}
