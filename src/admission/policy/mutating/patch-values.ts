import { JsonConversionError, jsonOfValue, ListValue, ObjectValue, type Value } from '../../../cel/index.ts';
import { MutationError } from './mutation-error.ts';

/** Checks the types of objects and turns a configuration into plain JSON. @throws MutationError */
export function configurationOf(value: Value): object {
  checkTypeNames(value);
  try {
    return jsonOfValue(value) as object;
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
      ...(value === undefined ? {} : { value: jsonOfValue(value) }),
    };
  } catch (error) {
    throw asMutationError(
      error,
      'JSONPath valueExpression evaluated to a type that could not marshal to JSON',
    );
  }
}

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
      yield `unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`;
    for (const name of value.keys()) yield* wrongNames(value.find(name)!, `${path}.${name}`);
  } else if (value.kind === 'list') {
    for (let index = 0; index < value.size; index++) yield* wrongNames(value.get(index), path);
  } else if (value.kind === 'map') {
    for (const key of value.keys()) yield* wrongNames(value.find(key) ?? null, path);
  }
}
