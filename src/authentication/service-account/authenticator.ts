import { timingSafeEqual } from 'node:crypto';
import { quoteList } from '../../errors/quote.ts';
import { membersOf } from '../../model/json-object.ts';
import { getMember, type KubernetesObject } from '../../model/object.ts';
import {
  type Authenticated,
  AuthenticationError,
  type TokenAuthenticator,
} from '../../request/authenticator.ts';
import { serviceAccountUser } from '../../request/user.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { ClusterClock } from '../../time/clock.ts';
import { CREDENTIAL_ID_KEY } from '../user.ts';
import { audienceClaim, invalidClaim, textClaim, timeClaimsError } from './claims.ts';
import { LEGACY_ISSUER } from './issuer.ts';
import { type DecodedToken, decodeToken, isSignedBy } from './jwt.ts';
import type { VerificationKey } from './keys.ts';

/** Tokens stay valid this long after the deletion of their object began, for graceful termination. */
const DELETION_LEEWAY_MILLISECONDS = 60_000;

export interface ServiceAccountOptions {
  /** Accepted issuers (`--service-account-issuer`, repeatable). */
  readonly issuers: readonly string[];
  keys(): readonly VerificationKey[];
  /** API audiences of this server. */
  readonly audiences: readonly string[];
  /** `--service-account-lookup`: legacy tokens are valid only while their secret exists. */
  readonly lookup: boolean;
  readonly reader: TokenObjectLister;
  /** The cluster's time, milliseconds. */
  readonly now: ClusterClock['now'];
  /**
   * Called for each valid token; `stale` after its `warnafter` time. Legacy tokens are also `generated` or
   * `manual`; `invalidated` ones are rejected.
   */
  readonly observe?: (token: 'valid' | 'stale' | 'legacy' | 'generated' | 'manual' | 'invalidated') => void;
  /** Called when a legacy token is used, and its secret does not say so yet. */
  readonly noteUse?: NoteTokenUse;
}

/** Notes the use of the legacy token of a secret. @param date of today in UTC, `2030-01-31` */
export type NoteTokenUse = (
  secret: { readonly namespace: string; readonly name: string; readonly uid: string },
  date: string,
) => void;

/**
 * Authenticates service account tokens: bound tokens, and legacy tokens from secrets.
 */
export function serviceAccountAuthenticator(options: ServiceAccountOptions): TokenAuthenticator {
  const { issuers } = options;
  return {
    name: 'service-account',
    authenticateToken(text, requestedAudiences) {
      const token = decodeToken(text);
      if (token === undefined) return undefined;
      const issuer = textClaim(token.claims.iss);
      const isLegacy = issuer === LEGACY_ISSUER;
      if (!isLegacy && !issuers.includes(issuer)) return undefined;
      checkSignature(token, options.keys());
      const invalid = invalidClaim(token.claims);
      if (invalid !== undefined)
        throw new AuthenticationError(`service account token has an invalid ${invalid} claim`);
      const audiences = acceptedAudiences(token, options.audiences, requestedAudiences);
      return isLegacy ? legacyToken(token, text, audiences, options) : boundToken(token, audiences, options);
    },
  };
}

/**
 * Checks the signature with the keys of the token's id, or with all keys if it names none.
 * @throws AuthenticationError with kube-apiserver's text
 */
function checkSignature(token: DecodedToken, keys: readonly VerificationKey[]): void {
  const { keyId = '' } = token;
  const named = keyId === '' ? keys : keys.filter(({ id }) => id === keyId);
  if (named.length === 0) throw new AuthenticationError('invalid signature, no keys found');
  if (!isSignedBy(token, named))
    throw new AuthenticationError('square/go-jose: error in cryptographic primitive');
}

/**
 * The accepted audiences; a token without audiences has those of this server.
 * @throws AuthenticationError when none matches
 */
function acceptedAudiences(
  { claims }: DecodedToken,
  own: readonly string[],
  requested: readonly string[] = own,
): readonly string[] {
  const tokenAudiences = audienceClaim(claims.aud);
  const offered = tokenAudiences.length === 0 ? own : tokenAudiences;
  const shared = offered.filter((audience) => requested.includes(audience));
  if (shared.length === 0 && own.length > 0)
    throw new AuthenticationError(
      `token audiences ${quoteList(offered)} is invalid for the target audiences ${quoteList(requested)}`,
    );
  return shared;
}

async function boundToken(
  { claims }: DecodedToken,
  audiences: readonly string[],
  { reader, now, observe }: ServiceAccountOptions,
): Promise<Authenticated> {
  const time = now();
  const timeError = timeClaimsError(claims, Math.floor(time / 1000));
  if (timeError !== undefined) throw new AuthenticationError(timeError);
  const {
    namespace: space,
    serviceaccount,
    pod,
    secret,
    node,
    warnafter,
  } = membersOf(claims['kubernetes.io']);
  const namespace = textClaim(space);
  const account = reference(serviceaccount);
  await requireLiveObject(
    'service account',
    account,
    await reader.serviceAccount(namespace, account.name),
    `serviceaccounts ${JSON.stringify(account.name)} not found`,
    time,
  );
  const [boundSecret, boundPod, boundNode] = [reference(secret), reference(pod), reference(node)];
  if (boundSecret.name !== '')
    await requireLiveObject(
      'secret',
      boundSecret,
      await reader.secret(namespace, boundSecret.name),
      INVALIDATED,
      time,
    );
  if (boundPod.name !== '')
    await requireLiveObject('pod', boundPod, await reader.pod(namespace, boundPod.name), INVALIDATED, time);
  // The node of a pod-bound token is reported but need not exist: the pod is checked instead.
  else if (boundNode.name !== '')
    await requireLiveObject('node', boundNode, await reader.node(boundNode.name), INVALIDATED, time);
  const extra = new Map<string, readonly string[]>();
  const addExtra = (key: string, value: string) => void (value !== '' && extra.set(key, [value]));
  const tokenId = textClaim(claims.jti);
  addExtra(CREDENTIAL_ID_KEY, tokenId === '' ? '' : `JTI=${tokenId}`);
  addExtra('authentication.kubernetes.io/pod-name', boundPod.name);
  addExtra('authentication.kubernetes.io/pod-uid', boundPod.uid);
  addExtra('authentication.kubernetes.io/node-name', boundNode.name);
  addExtra('authentication.kubernetes.io/node-uid', boundNode.uid);
  const user = serviceAccountUser(namespace, account.name, account.uid, extra);
  const stale = typeof warnafter === 'number' && warnafter > 0 && time / 1000 > warnafter;
  observe?.(stale ? 'stale' : 'valid');
  if (!stale) return { user, audiences };
  const seconds = Math.floor(time / 1000) - warnafter;
  const text = `subject: ${user.name}, seconds after warning threshold: ${seconds}`;
  return { user, audiences, annotations: [['authentication.k8s.io/stale-token', text]] };
}

const INVALIDATED = 'service account token has been invalidated';

function reference(value: unknown): { readonly name: string; readonly uid: string } {
  const { name, uid } = membersOf(value);
  return { name: textClaim(name), uid: textClaim(uid) };
}

/** @throws AuthenticationError for an object that is deleted, terminating, or has another UID */
async function requireLiveObject(
  title: string,
  { uid }: { uid: string },
  object: KubernetesObject | undefined,
  absent: string,
  time: number,
): Promise<void> {
  if (object === undefined || isDeleted(object, time))
    throw new AuthenticationError(object === undefined ? absent : INVALIDATED);
  const actual = object.metadata?.uid ?? '';
  if (actual !== uid) throw new AuthenticationError(`${title} UID (${actual}) does not match claim (${uid})`);
}

function isDeleted({ metadata }: KubernetesObject, time: number): boolean {
  return (
    metadata?.deletionTimestamp !== undefined &&
    Date.parse(metadata.deletionTimestamp) < time - DELETION_LEEWAY_MILLISECONDS
  );
}

/** Label of a Secret whose legacy token is rejected. */
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const GENERATED_TOKEN =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';

/** Authenticates a legacy token, valid as long as its secret has it. */
async function legacyToken(
  { claims }: DecodedToken,
  text: string,
  audiences: readonly string[],
  options: ServiceAccountOptions,
): Promise<Authenticated> {
  const { lookup, reader, observe } = options;
  const claim = (name: string): string =>
    textClaim(getMember(claims, `kubernetes.io/serviceaccount/${name}`));
  const [namespace, name, uid, secretName] = [
    claim('namespace'),
    claim('service-account.name'),
    claim('service-account.uid'),
    claim('secret.name'),
  ];
  const user = serviceAccountUser(namespace, name, uid);
  if (textClaim(claims.sub) !== user.name) throw new AuthenticationError('sub claim is invalid');
  if (namespace === '' || name === '' || uid === '' || secretName === '')
    throw new AuthenticationError('a claim of the service account token is missing');
  const annotations: [string, string][] = [['authentication.k8s.io/legacy-token', user.name]];
  const warnings: string[] = [];
  if (lookup) {
    const secret = await reader.secret(namespace, secretName);
    if (secret === undefined || secret.metadata?.deletionTimestamp !== undefined)
      throw new AuthenticationError('Token has been invalidated');
    const stored = getMember((secret.data as object | undefined) ?? {}, 'token');
    if (!isSameSecret(stored, Buffer.from(text).toString('base64')))
      throw new AuthenticationError("Token does not match server's copy");
    const account = await reader.serviceAccount(namespace, name);
    if (account === undefined || account.metadata?.deletionTimestamp !== undefined)
      throw new AuthenticationError(`ServiceAccount ${namespace}/${name} has been deleted`);
    if (account.metadata?.uid !== uid)
      throw new AuthenticationError(
        `ServiceAccount UID (${account.metadata?.uid}) does not match claim (${uid})`,
      );
    if (getMember(secret.metadata?.labels ?? {}, INVALID_SINCE)) {
      observe?.('invalidated');
      noteLastUse(secret, options);
      throw new AuthenticationError(
        `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`,
      );
    }
    const secrets = (account.secrets ?? []) as readonly { readonly name?: string }[];
    const generated = secrets.some((one) => one.name === secretName);
    if (generated) warnings.push(GENERATED_TOKEN);
    observe?.(generated ? 'generated' : 'manual');
    annotations.push([
      `authentication.k8s.io/legacy-token-${generated ? 'autogenerated' : 'manual'}-secret`,
      secretName,
    ]);
    noteLastUse(secret, options);
  }
  observe?.('legacy');
  return { user, audiences, annotations, warnings };
}

/** Label of a Secret with the day of the last use of its token, by which unused ones are found. */
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const DAY_MILLISECONDS = 86_400_000;

function noteLastUse({ metadata = {} }: KubernetesObject, { noteUse, now }: ServiceAccountOptions): void {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const today = day(now());
  const label = metadata.labels?.[LAST_USED];
  // The clock of another server may be ahead.
  if (label === today || label === day(now() + DAY_MILLISECONDS)) return;
  noteUse?.(
    { namespace: metadata.namespace ?? '', name: metadata.name ?? '', uid: metadata.uid ?? '' },
    today,
  );
}

/** Compares in constant time. */
function isSameSecret(stored: unknown, given: string): boolean {
  const [left, right] = [Buffer.from(typeof stored === 'string' ? stored : ''), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Looks up the objects that tokens refer to. */
export interface TokenObjectLister {
  serviceAccount(namespace: string, name: string): MaybePromise<KubernetesObject | undefined>;
  pod(namespace: string, name: string): MaybePromise<KubernetesObject | undefined>;
  secret(namespace: string, name: string): MaybePromise<KubernetesObject | undefined>;
  node(name: string): MaybePromise<KubernetesObject | undefined>;
}
