import { writePlain } from '../../codec/json-plain.ts';
import { escapeHtml } from '../../codec/json-string.ts';
import { fromPlain } from '../../codec/typed.ts';
import { BinnacleError } from '../../errors/binnacle-error.ts';
import { quote } from '../../errors/quote.ts';
import type { AdmissionReview } from '../../model/generated/admission-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import {
  checkReviewKind,
  formatGroupVersionKind,
  type ReviewDocument,
} from '../../outbound/review-document.ts';
import type { AdmissionRequest, VersionedObjects } from '../../request/admission.ts';
import { type MatchedVersion, requestObject } from '../expressions/request-object.ts';
import { REVIEW_VERSIONS, type ReviewVersion } from './compiled-webhook.ts';

const GROUP = 'admission.k8s.io';
const KIND = { group: GROUP, kind: 'AdmissionReview', versions: REVIEW_VERSIONS };

/** The text of a review after its uid: equal for reviews that ask the same. */
export function reviewContent(
  request: AdmissionRequest,
  seen: MatchedVersion,
  { object, oldObject }: VersionedObjects,
): string {
  const { dryRun, options, ...members } = requestObject(request, seen);
  return (
    `${writeWire(members).slice(1, -1)},"object":${object?.json() ?? 'null'}` +
    `,"oldObject":${oldObject?.json() ?? 'null'},"dryRun":${dryRun},"options":${writeWire(options)}}}`
  );
}

/** Writes members in their order, as Go writes structs. */
export function writeWire(value: unknown): string {
  try {
    return escapeHtml(JSON.stringify(value));
  } catch {
    // It has integers beyond 2^53.
    return writePlain(value);
  }
}

/** The body of a review. */
export const reviewBody = (version: ReviewVersion, uid: string, content: string): string =>
  `{"kind":"AdmissionReview","apiVersion":"${GROUP}/${version}","request":{"uid":${JSON.stringify(uid)},${content}`;

/** The answer of a webhook, checked. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  readonly status: NonNullable<AdmissionReview['response']>['status'];
  /** A JSON Patch in base64; empty for none. */
  readonly patch: string;
  /** Of a patch with operations it must be {@link JSON_PATCH}. */
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** An answer is a review, but not a valid one. */
export class InvalidAnswerError extends BinnacleError {
  override name = 'InvalidAnswerError';
  readonly code = 'ERR_BINNACLE_WEBHOOK_ANSWER';
}

/** The only type of patches; v1 compares it when there are operations. */
export const JSON_PATCH = 'JSONPatch';

/**
 * Reads the answer to a review.
 * @throws ReviewDocumentError or DecodeError when it is no review, InvalidAnswerError when it breaks the rules
 *   of the version; with kube-apiserver's texts
 */
export function readAnswer(
  document: ReviewDocument,
  version: ReviewVersion,
  uid: string,
  mutates: boolean,
): ReviewAnswer {
  checkReviewKind(document, KIND, version);
  const { value } = fromPlain(internalTypes.ofKind(GROUP, version, 'AdmissionReview')!, document);
  const { response } = value as AdmissionReview;
  if (response === undefined) throw new InvalidAnswerError('webhook response was absent');
  const { patch = '', patchType, allowed = false, status, auditAnnotations = {}, warnings = [] } = response;
  if (version === 'v1') {
    if ((response.uid ?? '') !== uid)
      throw new InvalidAnswerError(`expected response.uid=${quote(uid)}, got ${quote(response.uid ?? '')}`);
    checkType(document);
    checkPatchMembers(patch, patchType, mutates);
  }
  return {
    allowed,
    status,
    patch: mutates ? patch : '',
    patchType: version === 'v1' ? (patchType ?? '') : JSON_PATCH,
    auditAnnotations,
    warnings,
  };
}

/** An answer of version v1 says its type. */
function checkType({ apiVersion, kind }: ReviewDocument): void {
  const expected = formatGroupVersionKind(`${GROUP}/v1`, KIND.kind);
  const received = formatGroupVersionKind(textOf(apiVersion), textOf(kind));
  if (received !== expected)
    throw new InvalidAnswerError(`expected webhook response of ${expected}, got ${received}`);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function checkPatchMembers(patch: string, patchType: string | undefined, mutates: boolean): void {
  if (!mutates) {
    if (patch !== '') throw new InvalidAnswerError('validating webhook may not return response.patch');
    if (patchType !== undefined)
      throw new InvalidAnswerError('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && patchType === undefined)
    throw new InvalidAnswerError('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== undefined)
    throw new InvalidAnswerError('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new InvalidAnswerError('webhook returned invalid response.patchType of ""');
}
