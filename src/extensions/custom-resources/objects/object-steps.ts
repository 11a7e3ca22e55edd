import { parsingJson } from '../../../codec/json-parse.ts';
import { writingPlain } from '../../../codec/json-plain.ts';
import { literalsOf, shareLiterals } from '../../../codec/number-literals.ts';
import { toPlain } from '../../../codec/typed.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '../../../model/object.ts';
import type { TypeMeta } from '../../../resources/object-schema.ts';
import { stepSizes } from '../../../steps/sizes.ts';
import type { Steps } from '../../../steps/steps.ts';
import { type Plain, plainOf } from './object-json.ts';

/** Whether the ownership of an object is encoded in steps. */
export function hasLargeOwnership({ metadata }: KubernetesObject): boolean {
  let characters = 0;
  for (const { fieldsV1 } of metadata?.managedFields ?? []) characters += fieldsV1?.text.length ?? 0;
  return characters > stepSizes.objectBytes;
}

/** {@link encodePlain} in steps. */
export function* encodingPlain(
  plain: Plain,
  options: { readonly keepsFloats?: boolean } = {},
): Steps<Buffer> {
  const floats = options.keepsFloats === true ? literalsOf(plain) : undefined;
  const text = yield* writingPlain(plain, floats);
  return Buffer.from(`${text}\n`);
}

/** {@link encodeObject} in steps. */
export function* encodingObject(object: KubernetesObject, typeMeta: TypeMeta): Steps<Buffer> {
  const { resourceVersion: _, ...metadata } = object.metadata ?? {};
  return yield* encodingPlain(yield* makingPlain({ ...object, metadata }, typeMeta));
}

/** {@link plainOf} in steps. */
export function* makingPlain(object: KubernetesObject, typeMeta: TypeMeta): Steps<Plain> {
  const { managedFields = [], ...metadata } = object.metadata ?? {};
  const rest = { ...object, metadata };
  shareLiterals(object, rest);
  const plain = plainOf(rest, typeMeta);
  yield;
  if (managedFields.length > 0) {
    const entries: Plain[] = [];
    for (const entry of managedFields) entries.push(yield* makingEntry(entry));
    (plain['metadata'] as Plain)['managedFields'] = entries;
  }
  return plain;
}

function* makingEntry({ fieldsV1, ...entry }: ManagedFieldsEntry): Steps<Plain> {
  const plain = toPlain(internalTypes.type('meta_v1.ManagedFieldsEntry'), entry) as Plain;
  if (fieldsV1 === undefined || fieldsV1 === null) return plain;
  plain['fieldsV1'] = (yield* parsingJson(Buffer.from(fieldsV1.text))).value;
  yield;
  return plain;
}
