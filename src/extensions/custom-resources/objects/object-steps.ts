import { DecodeError } from '../../../codec/decode-error.ts';
import { parseJsonInSteps } from '../../../codec/json-parse.ts';
import { writePlainInSteps } from '../../../codec/json-plain.ts';
import { literalsOf } from '../../../codec/number-literals.ts';
import { toPlain } from '../../../codec/typed.ts';
import { isJsonObject } from '../../../model/json-object.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '../../../model/object.ts';
import { messageType } from '../../../model/scheme.ts';
import type { TypeMeta } from '../../../registry/object-schema.ts';
import { encodePlain, type Plain, parseStored, plainOf } from './object-json.ts';

/** Work on one object that pauses every few milliseconds. */
export type ObjectSteps<Result> = Generator<undefined, Result, void>;

/** Stored bytes that are decoded and encoded again in about a millisecond. */
const BYTES_AT_ONCE = 32 * 1024;

/** Whether stored bytes are worked on in steps. */
export const isLargeValue = (value: Uint8Array): boolean => value.length > BYTES_AT_ONCE;

/** Whether the ownership of an object is encoded in steps. */
export function hasLargeOwnership({ metadata }: KubernetesObject): boolean {
  let characters = 0;
  for (const { fieldsV1 } of metadata?.managedFields ?? []) characters += fieldsV1?.text.length ?? 0;
  return characters > BYTES_AT_ONCE;
}

/** {@link parseStored} in steps. @throws DecodeError */
export function* parseStoredInSteps(value: Uint8Array): ObjectSteps<Plain> {
  if (!isLargeValue(value)) return parseStored(value);
  const { value: plain } = yield* parseJsonInSteps(value);
  if (isJsonObject(plain)) return plain as Plain;
  throw new DecodeError('the stored value is not a JSON object');
}

/** {@link encodePlain} in steps. */
export function* encodePlainInSteps(
  plain: Plain,
  options: { readonly keepsFloats?: boolean } = {},
): ObjectSteps<Buffer> {
  if (options.keepsFloats === true && literalsOf(plain) !== undefined) return encodePlain(plain, options);
  const text = yield* writePlainInSteps(plain);
  return Buffer.from(`${text}\n`);
}

/** {@link encodeObject} in steps. */
export function* encodeObjectInSteps(object: KubernetesObject, typeMeta: TypeMeta): ObjectSteps<Buffer> {
  const { managedFields = [], resourceVersion: _, ...metadata } = object.metadata ?? {};
  const plain = plainOf({ ...object, metadata }, typeMeta);
  yield;
  if (managedFields.length > 0) {
    const entries: Plain[] = [];
    for (const entry of managedFields) entries.push(yield* plainEntryInSteps(entry));
    (plain['metadata'] as Plain)['managedFields'] = entries;
  }
  return yield* encodePlainInSteps(plain);
}

function* plainEntryInSteps({ fieldsV1, ...entry }: ManagedFieldsEntry): ObjectSteps<Plain> {
  const plain = toPlain(messageType('meta_v1.ManagedFieldsEntry'), entry) as Plain;
  if (fieldsV1 === undefined || fieldsV1 === null) return plain;
  plain['fieldsV1'] = (yield* parseJsonInSteps(Buffer.from(fieldsV1.text))).value;
  yield;
  return plain;
}
