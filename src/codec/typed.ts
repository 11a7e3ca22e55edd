import type { KubernetesObject } from '../model/object.ts';
import type { MessageType } from '../schema/message.ts';
import { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { parseJson, parsingJson } from './json-parse.ts';
import { writeJson } from './json-write.ts';
import { literalsOf } from './number-literals.ts';
import { plainMessage, steppingPlainMessage } from './plain-compile.ts';
import type { TypeMeta } from './type-meta.ts';
import { messageDecoder, steppingMessageDecoder } from './typed-compile.ts';
import { Mismatch } from './typed-mismatch.ts';
import type { DecodeContext } from './typed-values.ts';

/** A typed value and the dropped members. */
export interface TypedDocument {
  readonly value: KubernetesObject;
  /** Paths of members that are not in the type (`spec.containers[0].foo`), in document order, at most 100. */
  readonly unknown: string[];
}

export interface DecodeOptions {
  /**
   * Whether an object is restored from a merged tree, as kube-apiserver does after a strategic merge patch and
   * an apply: errors have texts of their own, and integers beyond 32 bits lose their upper bits. Default false.
   */
  readonly restores?: boolean;
  /** Metadata of a custom object that has the wrong type is left out instead of being refused; default false. */
  readonly dropsMetadata?: boolean;
}

/**
 * Converts plain data (parsed JSON, YAML or CBOR, or the result of a patch) to the typed in-memory form. The
 * result shares no containers with it. Names are case-sensitive; null means absent; zero values of
 * non-pointer fields are dropped; quantities and times are normalized.
 * @throws DecodeError with kube-apiserver's message when a value has the wrong JSON type
 */
export function fromPlain(
  type: MessageType,
  plain: unknown,
  { restores = false }: DecodeOptions = {},
): TypedDocument {
  if (plain === null || plain === undefined) return { value: {}, unknown: [] };
  const context: DecodeContext = { unknown: [], literals: literalsOf(plain), restores };
  try {
    const value = messageDecoder(type).run(plain, context, context, '') as KubernetesObject;
    return { value, unknown: context.unknown };
  } catch (error) {
    throw clientError(error, restores);
  }
}

/** {@link fromPlain} in steps of some milliseconds. */
export function* decodingPlain(
  type: MessageType,
  plain: unknown,
  { restores = false }: DecodeOptions = {},
): Steps<TypedDocument> {
  if (type.form !== 'object' || plain === null || plain === undefined)
    return fromPlain(type, plain, { restores });
  const context = { unknown: [], literals: literalsOf(plain), restores, pace: new Pace() };
  try {
    const value = yield* steppingMessageDecoder(type).run(plain, context, context, '');
    return { value: value as KubernetesObject, unknown: context.unknown };
  } catch (error) {
    throw clientError(error, restores);
  }
}

function clientError(error: unknown, restores: boolean): unknown {
  if (error instanceof Mismatch) return restores ? error.toRestoreError() : error.toDecodeError();
  // Only recursive messages (JSON schemas) can be nested that deep.
  return error instanceof RangeError ? new DecodeError('exceeded max depth') : error;
}

/**
 * Converts a value to plain data, as a client would get it by parsing the JSON output with exact integers.
 * The result shares no containers with the value.
 */
export function toPlain(type: MessageType, value: object, typeMeta?: TypeMeta): unknown {
  if (type.form === 'object') {
    const context = { hasLiterals: false };
    const plain = plainMessage(type).run(value, context) as Record<string, unknown>;
    if (!context.hasLiterals) return withTypeMeta(type, plain, typeMeta);
  }
  return parseJson(Buffer.from(writeJson(type, value, typeMeta))).value;
}

/** {@link toPlain} of an object in steps. */
export function* makingPlain(type: MessageType, value: object, typeMeta?: TypeMeta): Steps<unknown> {
  const context = { hasLiterals: false, pace: new Pace() };
  const plain = (yield* steppingPlainMessage(type).run(value, context)) as Record<string, unknown>;
  if (!context.hasLiterals) return withTypeMeta(type, plain, typeMeta);
  yield;
  return (yield* parsingJson(Buffer.from(writeJson(type, value, typeMeta)))).value;
}

/** The given kind and apiVersion come first, instead of those of the value. */
function withTypeMeta(type: MessageType, plain: Record<string, unknown>, typeMeta?: TypeMeta): object {
  if (!type.typeMeta) return plain;
  const { kind: _kind, apiVersion: _apiVersion, ...members } = plain;
  return typeMeta === undefined
    ? members
    : { kind: typeMeta.kind, apiVersion: typeMeta.apiVersion, ...members };
}
