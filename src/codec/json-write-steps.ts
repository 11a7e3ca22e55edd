import type { Field, MessageType, ValueType } from '../schema/message.ts';
import { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { valueWriter } from './json-compile.ts';
import { isPresent } from './json-presence.ts';
import { quoteJson, sortingKeys } from './json-string.ts';

/** JSON text in pieces, which become bytes at each pause. */
class Pieces {
  readonly bytes: Uint8Array[] = [];
  readonly #pace = new Pace();
  #texts: string[] = [];

  add(text: string): void {
    this.#texts.push(text);
  }

  /** Counts a value that was added. @returns whether to pause */
  endsStep(): boolean {
    if (!this.#pace.isPause()) return false;
    this.flush();
    return true;
  }

  flush(): void {
    this.bytes.push(Buffer.from(this.#texts.join('')));
    this.#texts = [];
  }
}

/**
 * Writes members of a message as the compiled writers do, in steps of some milliseconds.
 * @param isFirst whether no member precedes them
 * @returns the bytes in parts
 */
export function* writingMembers(
  fields: readonly Field[],
  object: object,
  isFirst: boolean,
): Steps<readonly Uint8Array[]> {
  const pieces = new Pieces();
  yield* writeMembers(pieces, fields, object, isFirst);
  pieces.flush();
  return pieces.bytes;
}

function* writeMembers(
  pieces: Pieces,
  fields: readonly Field[],
  object: object,
  isFirst: boolean,
): Steps<void> {
  let separator = isFirst ? '' : ',';
  for (const field of fields) {
    const value = (object as Record<string, unknown>)[field.name];
    const isUnset = value === undefined || value === null;
    if (field.unsetJson === undefined && !isPresent(field, value)) continue;
    pieces.add(`${separator}${JSON.stringify(field.name)}:`);
    separator = ',';
    if (isUnset) pieces.add(field.unsetJson!);
    else if (field.shape === 'list') yield* writeList(pieces, field.type, value as readonly unknown[]);
    else if (field.shape === 'map') yield* writeMap(pieces, field.type, value as Record<string, unknown>);
    else yield* writeValue(pieces, field.type, value);
  }
}

function* writeList(pieces: Pieces, type: ValueType, list: readonly unknown[]): Steps<void> {
  const write = isFlat(type) ? valueWriter(type) : undefined;
  let separator = '[';
  for (const item of list) {
    pieces.add(separator);
    separator = ',';
    if (write === undefined) yield* writeValue(pieces, type, item);
    else pieces.add(write(item));
    if (pieces.endsStep()) yield;
  }
  pieces.add(separator === '[' ? '[]' : ']');
}

function* writeMap(pieces: Pieces, type: ValueType, map: Record<string, unknown>): Steps<void> {
  const write = isFlat(type) ? valueWriter(type) : undefined;
  let separator = '{';
  for (const key of yield* sortingKeys(Object.keys(map))) {
    pieces.add(`${separator}${quoteJson(key)}:`);
    separator = ',';
    if (write === undefined) yield* writeValue(pieces, type, map[key]);
    else pieces.add(write(map[key]));
    if (pieces.endsStep()) yield;
  }
  pieces.add(separator === '{' ? '{}' : '}');
}

function* writeValue(pieces: Pieces, type: ValueType, value: unknown): Steps<void> {
  const { message } = type;
  if (message === undefined || value === null || value === undefined || isFlat(type))
    pieces.add(valueWriter(type)(value));
  else if (message.form === 'object') yield* writeObject(pieces, message, value as object);
  else if (message.form === 'array') yield* writeList(pieces, message.items!, value as readonly unknown[]);
  else yield* writeUnion(pieces, message, value);
}

function* writeObject(pieces: Pieces, message: MessageType, object: object): Steps<void> {
  pieces.add('{');
  const { kind, apiVersion } = object as { kind?: string; apiVersion?: string };
  const typeMeta = message.typeMeta
    ? Object.entries({ kind, apiVersion }).flatMap(([name, text]) =>
        text ? [`"${name}":${quoteJson(text)}`] : [],
      )
    : [];
  pieces.add(typeMeta.join(','));
  yield* writeMembers(pieces, message.jsonFields, object, typeMeta.length === 0);
  pieces.add('}');
}

/** A union of a schema with a list or a boolean. */
function* writeUnion(pieces: Pieces, message: MessageType, value: unknown): Steps<void> {
  if (typeof value === 'boolean') return pieces.add(String(value));
  const isList = Array.isArray(value);
  const { type } = message.fields.find(({ name }) => (name === 'Schema') !== isList)!;
  if (isList) yield* writeList(pieces, type, value);
  else yield* writeValue(pieces, type, value);
}

const flat = new WeakMap<MessageType, boolean>();

/** Whether values of the type have no lists, maps and objects, so that each is written at once. */
function isFlat({ message }: ValueType): boolean {
  if (message === undefined) return true;
  let known = flat.get(message);
  if (known === undefined) {
    known =
      message.form === 'object'
        ? message.jsonFields.every(({ shape, type }) => shape === 'single' && isPlain(type))
        : isPlain({ message });
    flat.set(message, known);
  }
  return known;
}

const CONTAINERS = new Set(['object', 'array', 'schemaOrArray', 'schemaOrBool', 'schemaOrStringArray']);

const isPlain = ({ message }: ValueType): boolean => message === undefined || !CONTAINERS.has(message.form);
