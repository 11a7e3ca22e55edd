import { RawJson } from '../model/object.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';

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
    return new RawJson(textWithLongIntegers(value));
  }
}

/** Members and items written between two pauses: some milliseconds of work. */
const PARTS_AT_ONCE = 8192;

/** {@link rawFromPlain} in steps of some milliseconds. @throws DecodeError */
export function* rawFromPlainInSteps(value: unknown): Steps<RawJson> {
  try {
    return new RawJson(yield* textInSteps(value, { parts: 0 }));
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('exceeded max depth');
    throw error;
  }
}

function* textInSteps(value: unknown, done: { parts: number }): Steps<string> {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const texts: string[] = [];
  for (const key of Object.keys(value)) {
    done.parts += 1;
    if (done.parts % PARTS_AT_ONCE === 0) yield;
    const text = yield* textInSteps((value as Record<string, unknown>)[key], done);
    texts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
  }
  return isList ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
}

/** JSON.stringify refuses bigint; used only for documents with one. */
function textWithLongIntegers(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textWithLongIntegers).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${textWithLongIntegers(member)}`).join(',')}}`;
}

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
