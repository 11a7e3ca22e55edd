import {
  JsonConversionError,
  jsonOfValue,
  ListValue,
  ObjectValue,
  OptionalValue,
  type Value,
} from '../../../cel/index.ts';
import { quote } from '../../../errors/quote.ts';
import { ForeignValue } from '../../../model/foreign-value.ts';
import { isJsonObject } from '../../../model/json-object.ts';
import { MutationError } from './mutation-error.ts';
import { nativeFields } from './native-values.ts';

/** Checks the types of objects and turns a configuration into plain JSON. @throws MutationError */
export function configurationOf(value: Value): object {
  checkTypeNames(value);
  try {
    return value instanceof ObjectValue ? nativeFields(value) : (jsonOfValue(value) as object);
  } catch (error) {
    throw asMutationError(error, 'invalid return type');
  }
}

/** Turns the operations of a JSON Patch into plain JSON. @throws MutationError */
export function operationsOf(value: Value): object[] {
  if (!(value instanceof ListValue))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  return Array.from({ length: value.size }, (_, index) => operationOf(value.get(index)));
}

function operationOf(operation: Value): object {
  if (!(operation instanceof ObjectValue))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  const text = (name: string): Value => operation.find(name) ?? '';
  const from = text('from');
  const value = operation.find('value');
  if (value instanceof ObjectValue) checkTypeNames(value);
  try {
    return {
      op: text('op'),
      path: text('path'),
      ...(from === '' ? {} : { from }),
      ...(value === undefined ? {} : { value: patchValue(value) }),
    };
  } catch (error) {
    throw asMutationError(
      error,
      'JSONPath valueExpression evaluated to a type that could not marshal to JSON',
    );
  }
}

/**
 * The JSON of a value in a patch, by way of protobuf's JSON values: integers beyond 2^53 become text, those of
 * objects become floating-point numbers.
 */
function patchValue(value: Value): unknown {
  if (value instanceof ObjectValue) return jsonOfNative(nativeFields(value));
  if (value instanceof OptionalValue && value.value === undefined)
    throw new JsonConversionError('optional.none() dereference');
  return withTextIntegers(jsonOfValue(value));
}

function withTextIntegers(json: unknown): unknown {
  if (typeof json === 'bigint') return String(json);
  if (typeof json === 'number' && !Number.isFinite(json)) throw new JsonConversionError(NOT_FINITE);
  if (Array.isArray(json)) return json.map(withTextIntegers);
  return isJsonObject(json) ? mapMembers(json, withTextIntegers) : json;
}

function jsonOfNative(native: unknown): unknown {
  if (typeof native === 'bigint') return Number(native);
  if (typeof native === 'number' && !Number.isFinite(native)) throw new JsonConversionError(NOT_FINITE);
  if (Array.isArray(native)) return native.map(jsonOfNative);
  if (!(native instanceof ForeignValue))
    return isJsonObject(native) ? mapMembers(native, jsonOfNative) : native;
  if (native.json !== undefined) return native.json;
  throw new JsonConversionError(`proto: invalid type: ${native.type}`);
}

const NOT_FINITE =
  'json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid value';

const mapMembers = (json: object, change: (member: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(json).map(([name, member]) => [name, change(member)]));

function asMutationError(error: unknown, text: string): unknown {
  return error instanceof JsonConversionError ? new MutationError(`${text}: ${error.message}`) : error;
}

/**
 * Checks that the type of each object inside of an object is named after the fields around it.
 * @throws MutationError
 */
function checkTypeNames(value: Value): void {
  const problems = value instanceof ObjectValue ? [...wrongNames(value, value.typeName)] : [];
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join('\n')}`);
}

function* wrongNames(value: Value, path: string): Generator<string> {
  if (value === null || typeof value !== 'object') return;
  if (value instanceof ObjectValue) {
    if (value.typeName !== path)
      yield `unexpected type name ${quote(value.typeName)}, expected ${quote(path)}, which matches field name path from root Object type`;
    for (const name of value.keys()) yield* wrongNames(value.find(name)!, `${path}.${name}`);
  } else if (value.kind === 'list') {
    for (let index = 0; index < value.size; index++) yield* wrongNames(value.get(index), path);
  } else if (value.kind === 'map') {
    for (const key of value.keys()) yield* wrongNames(value.find(key) ?? null, path);
  }
}
