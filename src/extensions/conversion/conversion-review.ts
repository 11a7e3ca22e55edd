import { quoteJson } from '../../codec/json-string.ts';
import { fromPlain } from '../../codec/typed.ts';
import { quote } from '../../errors/quote.ts';
import type { ConversionResponse, ConversionReview } from '../../model/generated/apiextensions-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { isJsonObject } from '../../model/json-object.ts';
import {
  checkReviewKind,
  formatGroupVersionKind,
  type ReviewDocument,
  type ReviewKind,
} from '../../outbound/review-document.ts';

/** An object as plain JSON data. */
export type PlainObject = Record<string, unknown>;

const REVIEW: ReviewKind = {
  group: 'apiextensions.k8s.io',
  kind: 'ConversionReview',
  versions: ['v1', 'v1beta1'],
  others: ['CustomResourceDefinition', 'CustomResourceDefinitionList'],
};

/** The version of the reviews to send: the first one that this server knows; undefined if there is none. */
export const reviewVersion = (accepted: readonly string[]): string | undefined =>
  accepted.find((version) => REVIEW.versions.includes(version));

/** The review that is sent, as kube-apiserver writes it. @param objects encoded objects */
export function writeReview(
  version: string,
  uid: string,
  desiredAPIVersion: string,
  objects: readonly string[],
): string {
  return (
    `{"kind":"ConversionReview","apiVersion":"${REVIEW.group}/${version}",` +
    `"request":{"uid":${quoteJson(uid)},"desiredAPIVersion":${quoteJson(desiredAPIVersion)},` +
    `"objects":[${objects.join(',')}]},` +
    '"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}\n'
  );
}

/**
 * Checks a response and returns its objects, not yet checked.
 * @throws Error, DecodeError or ReviewDocumentError with kube-apiserver's text
 */
export function convertedObjects(document: ReviewDocument, version: string, uid: string): readonly unknown[] {
  checkReviewKind(document, REVIEW, version);
  const { objects, response } = readResponse(document);
  if (version === 'v1') checkTypeMeta(document);
  if (response === undefined) throw new Error('no response provided');
  // v1beta1 converters need not repeat the uid.
  const { uid: answered = '', result: { status = '', message = '' } = {} } = response;
  if (version === 'v1' && answered !== uid)
    throw new Error(`expected response.uid=${quote(uid)}, got ${quote(answered)}`);
  if (status !== 'Success')
    throw new Error(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  return objects;
}

function checkTypeMeta({ apiVersion = '', kind = '' }: ReviewDocument): void {
  const expected = formatGroupVersionKind(`${REVIEW.group}/v1`, REVIEW.kind);
  const received = formatGroupVersionKind(String(apiVersion), String(kind));
  if (received !== expected) throw new Error(`expected webhook response of ${expected}, got ${received}`);
}

/** Decodes the review strictly; the objects of its response remain plain. */
function readResponse(document: ReviewDocument): {
  objects: readonly unknown[];
  response: ConversionResponse | undefined;
} {
  const sent = document.response;
  const objects = isJsonObject(sent) ? sent.convertedObjects : undefined;
  const rest = Array.isArray(objects)
    ? { ...document, response: { ...(sent as object), convertedObjects: undefined } }
    : document;
  const { value } = fromPlain(internalTypes.type('apiextensions_v1.ConversionReview'), rest);
  return {
    objects: Array.isArray(objects) ? objects : [],
    response: (value as ConversionReview).response,
  };
}
