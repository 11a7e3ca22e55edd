import type { BoundObjectReference, TokenRequestSpec } from '../../model/generated/authentication-v1.ts';
import type { Life } from '../../model/life.ts';
import { type KubernetesObject, parseApiVersion } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { formatTime } from '../../model/time.ts';
import { errors } from '../../status/errors.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import type { ClusterClock } from '../../time/clock.ts';
import type { TokenObjectLister } from './authenticator.ts';
import type { BoundObject, TokenIssuer, TokenSubject } from './issuer.ts';

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const MINIMUM_SECONDS = 600;
const MAXIMUM_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3600;
/** Expiration requested for mounted token volumes; only such tokens are extended. */
const EXTENDABLE_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;

export interface TokenRequestOptions {
  readonly issuer: TokenIssuer;
  /** Audiences of this server: the default of requests. */
  readonly audiences: readonly string[];
  /** `--service-account-max-token-expiration`, seconds; 0 means no limit. */
  readonly maximumSeconds: number;
  /** `--service-account-extend-token-expiration`. */
  readonly extend: boolean;
  readonly reader: TokenObjectLister;
  /** The cluster's time, milliseconds. */
  readonly now: ClusterClock['now'];
}

export interface TokenRequestContext extends RuleContext {
  /** Runs validating admission of the request, which has been checked and completed. */
  validate?(): void | Promise<void>;
  warn(message: string): void;
  /** Adds an annotation to the audit event. */
  annotate(name: string, value: string): void;
}

/** The releases in which a request names the service account by its UID, too. */
const NAMES_UID: Life = { since: '1.34' };
/** The audit annotation of a request for a service account with another UID. */
const UID_MISMATCH = 'authentication.k8s.io/token-request-uid-mismatch';

/** Sets the defaults of a decoded request, before admission sees it. */
export function setTokenRequestDefaults(request: KubernetesObject): void {
  const spec = (request.spec ?? {}) as TokenRequestSpec;
  request.spec = { ...spec, expirationSeconds: spec.expirationSeconds ?? DEFAULT_SECONDS };
}

/**
 * Handles a TokenRequest, the `token` subresource of a service account.
 * @returns the defaulted request with the token in its status
 * @throws ApiError 400, 404, 409 or 422 for invalid requests
 */
export async function requestToken(
  account: KubernetesObject,
  request: KubernetesObject,
  options: TokenRequestOptions,
  context: TokenRequestContext,
): Promise<KubernetesObject> {
  const { warn, validate } = context;
  const { name = '', namespace = '', uid } = account.metadata ?? {};
  const spec = (request.spec ?? {}) as TokenRequestSpec;
  if (request.metadata?.name && request.metadata.name !== name) {
    throw errors.invalid(KIND, name, [
      invalid('metadata.name', request.metadata.name, 'must match the service account name if specified'),
    ]);
  }
  if (request.metadata?.namespace && request.metadata.namespace !== namespace)
    throw errors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  if (context.has(NAMES_UID)) checkUid(name, uid, request.metadata?.uid, context);
  let expirationSeconds = Number(spec.expirationSeconds ?? DEFAULT_SECONDS);
  const expirationFieldErrors = expirationErrors(expirationSeconds);
  if (expirationFieldErrors.length > 0) throw errors.invalid(KIND, '', expirationFieldErrors);
  const audiences = (spec.audiences ?? []).length === 0 ? options.audiences : spec.audiences!;
  const time = options.now();
  const named = context.has(NAMES_UID) ? { uid: request.metadata?.uid || uid } : {};
  request.metadata = {
    ...request.metadata,
    ...named,
    name,
    namespace,
    creationTimestamp: formatTime(time),
  };
  request.spec = { ...spec, audiences, expirationSeconds };
  delete request.status;
  await validate?.();
  const bound = spec.boundObjectRef
    ? await resolveBound(spec.boundObjectRef, namespace, name, options.reader)
    : {};
  const { maximumSeconds } = options;
  if (maximumSeconds > 0 && expirationSeconds > maximumSeconds) {
    warn(`requested expiration of ${expirationSeconds} seconds shortened to ${maximumSeconds} seconds`);
    expirationSeconds = maximumSeconds;
  }
  const extended =
    options.extend &&
    bound.pod !== undefined &&
    expirationSeconds === EXTENDABLE_SECONDS &&
    audiences.every((audience) => options.audiences.includes(audience));
  const token = await options.issuer.issue(
    { namespace, account: { name, ...(uid === undefined ? {} : { uid }) }, ...bound },
    extended
      ? { audiences, expirationSeconds: EXTENDED_SECONDS, warnAfterSeconds: expirationSeconds }
      : { audiences, expirationSeconds },
  );
  // Other system fields are dropped: TokenRequests are not stored.
  const {
    uid: _uid,
    selfLink: _selfLink,
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    ...metadata
  } = request.metadata ?? {};
  return {
    ...request,
    metadata: { ...metadata, ...named },
    spec: { ...spec, audiences, expirationSeconds },
    status: { token, expirationTimestamp: formatTime(time + expirationSeconds * 1000) },
  };
}

/** Checks the UID that a request has. @throws ApiError 409 */
function checkUid(
  name: string,
  uid = '',
  requested = '',
  { isOn, annotate, warn }: TokenRequestContext,
): void {
  if (requested === '' || requested === uid) return;
  const text = `the UID in the token request (${requested}) does not match the UID of the service account (${uid})`;
  if (isOn('TokenRequestServiceAccountUIDValidation'))
    throw errors.conflict({ group: KIND.group, resource: KIND.kind }, name, text);
  annotate(UID_MISMATCH, text);
  warn(
    `${text} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error`,
  );
}

function expirationErrors(seconds: number): FieldError[] {
  const fieldErrors = (text: string): FieldError[] => [invalid('spec.expirationSeconds', seconds, text)];
  if (seconds < MINIMUM_SECONDS) return fieldErrors('may not specify a duration less than 10 minutes');
  return seconds > MAXIMUM_SECONDS ? fieldErrors('may not specify a duration larger than 2^32 seconds') : [];
}

type Bound = Pick<TokenSubject, 'pod' | 'node' | 'secret'>;

const boundObject = (name: string, object: KubernetesObject | undefined): BoundObject =>
  object?.metadata?.uid === undefined ? { name } : { name, uid: object.metadata.uid };

/** Resolves the object that the token is bound to. */
async function resolveBound(
  reference: BoundObjectReference,
  namespace: string,
  accountName: string,
  reader: TokenObjectLister,
): Promise<Bound> {
  const { apiVersion = '', kind = '', name = '' } = reference;
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const requireFound = (object: KubernetesObject | undefined, resource: string): KubernetesObject => {
    if (name === '') throw errors.badRequest('Name parameter required.');
    if (object === undefined) throw errors.notFound({ group: '', resource }, name);
    return object;
  };
  const requireSame = (object: KubernetesObject): BoundObject => {
    const { uid } = object.metadata ?? {};
    if (reference.uid && reference.uid !== uid) {
      throw errors.conflict(
        { group, resource: kind },
        name,
        `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    }
    return boundObject(name, object);
  };
  if (group === '' && kind === 'Secret')
    return { secret: requireSame(requireFound(await reader.secret(namespace, name), 'secrets')) };
  if (group === '' && kind === 'Node')
    return { node: requireSame(requireFound(await reader.node(name), 'nodes')) };
  if (group !== '' || kind !== 'Pod')
    throw errors.badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  const pod = requireFound(await reader.pod(namespace, name), 'pods');
  const { serviceAccountName = '', nodeName = '' } = (pod.spec ?? {}) as {
    serviceAccountName?: string;
    nodeName?: string;
  };
  if (serviceAccountName !== accountName) {
    throw errors.badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(accountName)} to pod running with different serviceaccount name.`,
    );
  }
  const bound = requireSame(pod);
  if (nodeName === '') return { pod: bound };
  return { pod: bound, node: boundObject(nodeName, await reader.node(nodeName)) };
}
