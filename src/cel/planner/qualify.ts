import { formatDouble } from '../values/doubles.ts';
import { ErrorValue } from '../values/error-value.ts';
import { Double, Uint } from '../values/scalars.ts';
import { isError, runtimeTypeName, type Value } from '../values/value.ts';

/** The member of a value by key or index; an error when absent. */
export function qualify(value: Value, key: Value): Value {
  if (typeof value === 'object' && value !== null) {
    if (value.kind === 'map') {
      const member = value.find(key);
      return member === undefined ? missingKey(key) : member;
    }
    if (value.kind === 'list') {
      const index = indexOf(key);
      if (typeof index !== 'number') return index;
      return index >= 0 && index < value.size
        ? value.get(index)
        : new ErrorValue(`index out of bounds: ${index}`);
    }
    if (value.kind === 'error') return value;
  }
  return missingKey(key);
}

/** The member of a value; undefined when absent. */
export function qualifyIfPresent(value: Value, key: Value): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value.kind === 'map') return value.find(key);
  if (value.kind === 'list') {
    const index = indexOf(key);
    if (typeof index !== 'number') return index;
    return index >= 0 && index < value.size ? value.get(index) : undefined;
  }
  return value.kind === 'error' ? value : undefined;
}

function missingKey(key: Value): ErrorValue {
  return new ErrorValue(`no such key: ${keyText(key)}`);
}

function keyText(key: Value): string {
  if (key instanceof Double) return formatDouble(key.value);
  return key instanceof Uint ? String(key.value) : String(key);
}

/** A list index from a whole number. */
function indexOf(key: Value): number | ErrorValue {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (key instanceof Double)
    return Number.isInteger(key.value)
      ? key.value + 0
      : new ErrorValue(`unsupported index value ${formatDouble(key.value)} in list`);
  return new ErrorValue(`unsupported index type '${runtimeTypeName(key)}' in list`);
}

/** The error for a value that cannot be a key or index; undefined for a valid one. */
export function keyError(key: Value): ErrorValue | undefined {
  if (key === null || typeof key !== 'object')
    return key === null ? new ErrorValue('invalid qualifier type: types.Null') : undefined;
  if (isError(key)) return key;
  if (key instanceof Double || key instanceof Uint) return undefined;
  const name =
    key.kind === 'opaque' ? key.typeName : `types.${key.kind[0]!.toUpperCase()}${key.kind.slice(1)}`;
  return new ErrorValue(`invalid qualifier type: ${name}`);
}
