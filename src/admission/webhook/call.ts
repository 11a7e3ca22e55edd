import { qualifiedName } from '../../model/name-syntax.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { postReview } from '../../outbound/post-review.ts';
import type { AdmissionRequest, VersionedObjects } from '../../request/admission.ts';
import type { ProcessClock } from '../../time/clock.ts';
import type { MatchedVersion } from '../expressions/request-object.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { dryRunUnsupported, WebhookCallError } from './failures.ts';
import type { WebhookPluginOptions } from './plugin-options.ts';
import { InvalidAnswerError, type ReviewAnswer, readAnswer, reviewBody, reviewContent } from './review.ts';
import { WebhookClientError, type WebhookSet } from './webhook-set.ts';

/** Maximum bytes of an answer: a patch in base64 can be larger than the object. */
const MAXIMUM_ANSWER_BYTES = 8 << 20;

export interface CallOptions {
  readonly set: WebhookSet;
  readonly clock: Pick<ProcessClock, 'monotonic' | 'after'>;
  readonly uid: () => string;
  readonly mutates: boolean;
  /** See {@link WebhookPluginOptions.failsCall}. */
  readonly failsCall?: WebhookPluginOptions['failsCall'];
}

/** What a webhook is asked. */
export interface Question {
  readonly webhook: CompiledWebhook;
  readonly request: AdmissionRequest;
  readonly seen: MatchedVersion;
  readonly objects: VersionedObjects;
}

/** Reviews of webhooks without side effects that were allowed in this request, by webhook and object. */
const ALLOWED = {};
/** Maximum remembered reviews of one request; each is as long as its objects. */
const REMEMBERED_REVIEWS = 32;

/**
 * Asks a webhook; adds the warnings and audit annotations of its answer to the request. A webhook that only
 * validates, without side effects, is not asked the same twice within one request: a repeated attempt takes
 * what it answered.
 *
 * Rejects with WebhookCallError when there is no proper answer, or ApiError when the webhook cannot be asked
 * in a dry run.
 */
export async function callWebhook(question: Question, options: CallOptions): Promise<ReviewAnswer> {
  const { webhook, request, seen, objects } = question;
  const isIdempotent = webhook.hasNoSideEffects(request.dryRun);
  if (request.dryRun && !isIdempotent) throw dryRunUnsupported(webhook.name);
  for (const one of [objects.object, objects.oldObject]) {
    const encoding = one?.encode?.();
    if (encoding !== undefined) await encoding;
  }
  const content = reviewContent(request, seen, objects);
  const key = `${webhook.uid} ${request.namespace}/${request.name}`;
  const remembers = isIdempotent && !options.mutates;
  const allowed = remembers ? request.memory.get(ALLOWED, () => new Map<string, string>()) : undefined;
  if (allowed?.get(key) === content) return SAME_ANSWER;
  const answer = await ask(question, options, content, isIdempotent);
  for (const [name, value] of Object.entries(answer.auditAnnotations))
    if (isAnnotationKey(`${webhook.name}/${name}`)) request.annotate(`${webhook.name}/${name}`, value);
  for (const warning of answer.warnings) if (isPrintable(warning)) request.warn(warning);
  if (answer.allowed && allowed !== undefined) {
    if (allowed.size >= REMEMBERED_REVIEWS) allowed.clear();
    allowed.set(key, content);
  }
  return answer;
}

const SAME_ANSWER: ReviewAnswer = {
  allowed: true,
  status: undefined,
  patch: '',
  patchType: '',
  auditAnnotations: {},
  warnings: [],
};

async function ask(
  { webhook, request }: Question,
  { set, clock, uid: createUid, mutates, failsCall }: CallOptions,
  content: string,
  idempotent: boolean,
): Promise<ReviewAnswer> {
  const { name, reviewVersion } = webhook;
  if (reviewVersion === undefined)
    throw new WebhookCallError(
      name,
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
      400,
    );
  if (failsCall?.(name) === true)
    throw new WebhookCallError(name, 'failed to call webhook: a rule of --faults fails the call', 503);
  const uid = createUid();
  const { resource } = request;
  const timeout = Math.min(webhook.timeout, request.deadline - clock.monotonic());
  if (timeout <= 0)
    throw new WebhookCallError(name, 'failed to call webhook: context deadline exceeded', 503);
  const span = request.span?.child(`Call ${mutates ? 'mutating' : 'validating'} webhook`, 'internal', () => ({
    configuration: webhook.configuration,
    webhook: name,
    resource: `${resource.group}/${resource.version}, Resource=${resource.resource}`,
    subresource: request.subresource,
    operation: request.operation,
    UID: uid,
  }));
  try {
    const document = await postReview(set.target(webhook), {
      body: reviewBody(reviewVersion, uid, content),
      timeout,
      announcedTimeout: Math.ceil(timeout / 1000) * 1000,
      signal: request.signal,
      maximumBytes: MAXIMUM_ANSWER_BYTES,
      idempotent,
      clock,
      span,
    });
    return readAnswer(document, reviewVersion, uid, mutates);
  } catch (error) {
    throw callError(name, error, request);
  } finally {
    span?.finish();
  }
}

function callError(name: string, error: unknown, { signal }: AdmissionRequest): WebhookCallError {
  const { message } = error as Error;
  if (error instanceof WebhookClientError)
    return new WebhookCallError(name, `could not get REST client: ${message}`, 500);
  if (error instanceof InvalidAnswerError)
    return new WebhookCallError(name, `received invalid webhook response: ${message}`, 503);
  const wasAborted = signal.aborted && error instanceof OutboundError;
  return new WebhookCallError(name, `failed to call webhook: ${message}`, 503, wasAborted);
}

/** Warnings without text, or with control characters, cannot be sent. */
const isPrintable = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return false;
  }
  return text !== '';
};

/** Whether a key of an annotation is a qualified name with a domain. */
const isAnnotationKey = (key: string): boolean => key.includes('/') && qualifiedName(key).length === 0;
