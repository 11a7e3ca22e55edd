import { parseCbor } from '../../../codec/cbor.ts';
import { DecodeError } from '../../../codec/decode-error.ts';
import { findMember, isNamed, visitMembers } from '../../../codec/json-members.ts';
import { parseJson, parsingJson } from '../../../codec/json-parse.ts';
import { writePlain, writePlainWithFloats } from '../../../codec/json-plain.ts';
import { literalsOf, shareLiterals } from '../../../codec/number-literals.ts';
import { writingOwnership } from '../../../codec/raw-text.ts';
import { toPlain } from '../../../codec/typed.ts';
import { coerceMetadata } from '../../../kinds/validation/metadata-coercion.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { isJsonObject } from '../../../model/json-object.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { JsonDocument } from '../../../resources/kind-codec.ts';
import type { TypeMeta } from '../../../resources/object-schema.ts';
import type { StoredForm } from '../../../resources/resource-definition.ts';
import type { MessageType } from '../../../schema/message.ts';
import { stepSizes } from '../../../steps/sizes.ts';
import type { Steps } from '../../../steps/steps.ts';

/** A plain JSON object. */
export type Plain = Record<string, unknown>;

/** Whether stored bytes are worked on in steps. */
export const isLargeValue = (value: Uint8Array): boolean => value.length > stepSizes.objectBytes;

/** A digit sequence that may exceed the integers that a JavaScript number holds exactly, a whole float, or `-0`. */
const NEEDS_EXACTNESS = /\d(?:\d{15}|\.0[,}\]])|-0[,}\]]/;

/**
 * Parses stored JSON; integers beyond 2^53 become bigint, and the literals of whole floats are recorded.
 * @throws DecodeError
 */
export function parseStored(value: Uint8Array): Plain {
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
  try {
    const plain: unknown = NEEDS_EXACTNESS.test(text) ? parseJson(value).value : JSON.parse(text);
    if (isJsonObject(plain)) return plain as Plain;
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
  throw new DecodeError('the stored value is not a JSON object');
}

/** {@link parseStored} in steps. @throws DecodeError */
export function* parsingStored(value: Uint8Array): Steps<Plain> {
  if (!isLargeValue(value)) return parseStored(value);
  const { value: plain } = yield* parsingJson(value);
  if (isJsonObject(plain)) return plain as Plain;
  throw new DecodeError('the stored value is not a JSON object');
}

/**
 * Makes the in-memory form of a stored object from its plain tree, which it shares. Metadata of the wrong type
 * is dropped.
 */
export function objectOf(plain: Plain): KubernetesObject {
  const object = { ...plain, metadata: coerceMetadata(plain.metadata ?? {}, 'drop').metadata };
  shareLiterals(plain, object);
  return object;
}

const OBJECT_META = (): MessageType => internalTypes.type('meta_v1.ObjectMeta');

/**
 * Makes the plain tree of a custom object; it shares everything but the metadata with the object. An object
 * that has not been created yet has no creation time, not even null.
 */
export function plainOf(object: KubernetesObject, { apiVersion, kind }: TypeMeta): Plain {
  const metadata = toPlain(OBJECT_META(), object.metadata ?? {}) as Plain;
  if (metadata['creationTimestamp'] === null) delete metadata['creationTimestamp'];
  const plain = { ...object, apiVersion, kind, metadata };
  shareLiterals(object, plain);
  return plain;
}

/** The stored form of custom objects: their JSON with sorted members, in any version of the kind. */
export const CUSTOM_FORM: StoredForm = {
  codec: {
    encode: (object) => encodeObject(object, { apiVersion: object.apiVersion!, kind: object.kind! }),
    decode: (value, revision) => atRevision(objectOf(parseStored(value)), revision),
    *decoding(value, revision) {
      const plain = yield* parsingStored(value);
      yield* writingOwnership(plain);
      yield;
      return atRevision(objectOf(plain), revision);
    },
  },
  metadata(value) {
    const range = findMember(value, 0, 'metadata');
    if (range === undefined) return {};
    return coerceMetadata(parseStored(value.subarray(range.valueStart, range.valueEnd)), 'drop').metadata;
  },
  writtenForm(value) {
    if (!CBOR_TAG.every((byte, index) => value[index] === byte)) return value;
    try {
      const { value: plain } = parseCbor(value);
      return isJsonObject(plain) ? encodePlain(plain as Plain) : value;
    } catch (error) {
      // The decoder of the kind reports it with the key.
      if (error instanceof DecodeError) return value;
      throw error;
    }
  },
};

function atRevision(object: KubernetesObject, revision: number): KubernetesObject {
  object.metadata!.resourceVersion = String(revision);
  return object;
}

/** The tag of CBOR, with which the values of a kube-apiserver with `CBORServingAndStorage` begin. */
const CBOR_TAG = [0xd9, 0xd9, 0xf7];

/** Encodes a custom object for storage, without its resourceVersion. @param options see {@link encodePlain} */
export function encodeObject(
  object: KubernetesObject,
  typeMeta: TypeMeta,
  options?: { readonly keepsFloats: boolean },
): Buffer {
  const plain = plainOf(object, typeMeta);
  delete (plain.metadata as Plain).resourceVersion;
  return encodePlain(plain, options);
}

/**
 * Encodes a plain tree for storage.
 * @param options keepsFloats: whole numbers that were written with a fraction keep it, for CBOR
 */
export function encodePlain(plain: Plain, { keepsFloats = false } = {}): Buffer {
  const floats = keepsFloats ? literalsOf(plain) : undefined;
  return Buffer.from(`${floats === undefined ? writePlain(plain) : writePlainWithFloats(plain, floats)}\n`);
}

const [QUOTE, BACKSLASH, POINT, ZERO] = [0x22, 0x5c, 0x2e, 0x30];
/** What follows a number in JSON. */
const ENDS = new Set(Buffer.from(',}]'));

/** Returns stored JSON with whole floats as JSON answers show them: without their fractions. */
export function withoutFractions(stored: Uint8Array): Uint8Array {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  if (!bytes.includes('.0')) return stored;
  const result = Buffer.allocUnsafe(bytes.length);
  let [length, start, inText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (byte === BACKSLASH) at += 1;
    else if (byte === POINT && !inText && bytes[at + 1] === ZERO && ENDS.has(bytes[at + 2]!)) {
      length += bytes.copy(result, length, start, at);
      start = at + 2;
    }
  }
  length += bytes.copy(result, length, start);
  return result.subarray(0, length);
}

const NEWLINE = 0x0a;

/**
 * Makes the document of an object at a revision from its stored JSON, without parsing it.
 * @param revision `0` for an object without resourceVersion
 */
export function documentOf(stored: Uint8Array, revision: string): JsonDocument {
  const at = revision === '0' ? -1 : versionOffset(stored);
  const length = stored[stored.length - 1] === NEWLINE ? stored.length : stored.length + 1;
  if (at < 0) {
    const bytes = Buffer.allocUnsafeSlow(length);
    bytes.set(stored);
    bytes[length - 1] = NEWLINE;
    return { bytes, membersStart: 1, start: length - 1, end: length - 1 };
  }
  const version = `"resourceVersion":"${revision}",`;
  const bytes = Buffer.allocUnsafeSlow(length + version.length);
  bytes.set(stored.subarray(0, at));
  bytes.write(version, at, 'latin1');
  bytes.set(stored.subarray(at), at + version.length);
  bytes[bytes.length - 1] = NEWLINE;
  return { bytes, membersStart: 1, start: at, end: at + version.length };
}

/** Offset in the metadata at which resourceVersion belongs; -1 when there is no member behind it. */
function versionOffset(stored: Uint8Array): number {
  const metadata = findMember(stored, 0, 'metadata');
  if (metadata === undefined) return -1;
  let at = -1;
  visitMembers(stored, metadata.valueStart, (member) => {
    if (isNamed(stored, member, 'uid') || isNamed(stored, member, 'selfLink')) {
      at = member.nameStart;
      return false;
    }
    return true;
  });
  if (at >= 0) return at;
  visitMembers(stored, metadata.valueStart, (member) => {
    at = member.nameStart;
    return false;
  });
  return at;
}
