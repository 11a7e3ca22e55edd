import { isJsonObject } from '../model/json-object.ts';
import { RawJson } from '../model/object.ts';
import { runNow } from '../steps/run.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { TooDeepTreeError, type TreeForm, writingTree } from './json-tree.ts';

/**
 * Free-form JSON data as {@link RawJson}: members in their order, integers exact.
 * @throws DecodeError when it is nested too deeply to be written
 */
export function rawFromPlain(value: unknown): RawJson {
  if (value instanceof RawJson) return value;
  try {
    return new RawJson(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('exceeded max depth');
    // JSON.stringify refuses bigint.
    return runNow(writingRaw(value));
  }
}

/** {@link rawFromPlain} in steps of some milliseconds. @throws DecodeError */
export function* writingRaw(value: unknown): Steps<RawJson> {
  if (value instanceof RawJson) return value;
  try {
    return new RawJson(yield* writingTree(value, RAW_FORM));
  } catch (error) {
    if (error instanceof TooDeepTreeError) throw new DecodeError('exceeded max depth');
    throw error;
  }
}

/**
 * Makes what managers own in the plain tree of a large object {@link RawJson}, in place and in steps; decoding
 * does it in one step. @throws DecodeError
 */
export function* writingOwnership(plain: unknown): Steps<void> {
  const { metadata } = (plain ?? {}) as { metadata?: { managedFields?: unknown } | null };
  const entries = metadata?.managedFields;
  if (!Array.isArray(entries)) return;
  for (const entry of entries)
    if (isJsonObject(entry) && isJsonObject(entry['fieldsV1']))
      entry['fieldsV1'] = yield* writingRaw(entry['fieldsV1']);
}

/** The form of JSON.stringify, and about its maximum depth. */
const RAW_FORM: TreeForm = {
  isContainer: (value): value is object => typeof value === 'object' && value !== null,
  isSorted: false,
  quote: JSON.stringify,
  scalar: (value) => (typeof value === 'bigint' ? value.toString() : JSON.stringify(value ?? null)),
  maximumDepth: 4000,
};

/** Whether a path leads into free-form data, whose members are not decoded. */
export function isInFreeForm(object: object, path: string): boolean {
  let value: unknown = object;
  for (const name of path.split(/[.[\]]+/)) {
    if (value instanceof RawJson) return true;
    if (typeof value !== 'object' || value === null) return false;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return false;
}
