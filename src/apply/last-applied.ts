import { DecodeError } from '../codec/decode-error.ts';
import { parsingJson } from '../codec/json-parse.ts';
import { writePlain } from '../codec/json-plain.ts';
import { isJsonObject } from '../model/json-object.ts';
import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import type { Steps } from '../steps/steps.ts';
import { compare } from './compare.ts';
import { fieldsOf } from './configuration.ts';
import { MissingKeyError } from './elements.ts';
import type { FieldSet } from './field-set.ts';
import type { Shape } from './shape.ts';

/** Annotation with the last configuration of client-side apply. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** The manager that migrates objects from client-side to server-side apply. */
export const MIGRATING_MANAGER = 'kubectl';
/** Maximum bytes of all annotations of an object. */
const MAXIMUM_ANNOTATION_BYTES = 256 * 1024;

export function lastApplied({ metadata }: KubernetesObject): string | undefined {
  const text = metadata?.annotations?.[LAST_APPLIED];
  return text === '' ? undefined : text;
}

/**
 * The fields owned by client-side apply according to the annotation: those with unchanged values. undefined
 * when the annotation is invalid.
 */
export function* lastAppliedFields(
  shape: Shape,
  apiVersion: string,
  live: object,
): Steps<FieldSet | undefined> {
  const text = lastApplied(live as KubernetesObject);
  if (text === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = (yield* parsingJson(Buffer.from(text))).value;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { apiVersion: version, kind = '' } = parsed as KubernetesObject;
  if (version !== apiVersion || kind === '') return undefined;
  try {
    const { added, modified, removed } = yield* compare(shape, parsed, live, 'plain');
    const fields = yield* fieldsOf(shape, parsed, false);
    return fields.difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof MissingKeyError) return undefined;
    throw error;
  }
}

/**
 * The value of the annotation for an applied configuration, excluding itself; empty when it would be too
 * long.
 */
export function lastAppliedText(applied: object): string {
  const { metadata, ...rest } = applied as KubernetesObject;
  const text = `${writePlain({ ...rest, metadata: metadata && withoutLastApplied(metadata) })}\n`;
  return Buffer.byteLength(text) > MAXIMUM_ANNOTATION_BYTES ? '' : text;
}

/** As in kube-apiserver, annotations are ignored and omitted when one of them is not a string. */
function withoutLastApplied(metadata: ObjectMeta): object {
  const { annotations, ...rest } = metadata;
  if (annotations === undefined) return metadata;
  if (!isJsonObject(annotations) || Object.values(annotations).some((value) => typeof value !== 'string'))
    return rest;
  const { [LAST_APPLIED]: _, ...others } = annotations as Record<string, string>;
  return { ...rest, annotations: others };
}
