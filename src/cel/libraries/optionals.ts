import { ErrorValue } from '../values/error-value.ts';
import { OptionalValue } from '../values/optional.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction } from './function.ts';

const NONE_DEREFERENCED = new ErrorValue('optional.none() dereference');

/** Whether a value is the zero value of its type: null, false, 0 or empty. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (typeof value !== 'object') return false;
  switch (value.kind) {
    case 'double':
      return value.value === 0;
    case 'uint':
      return value.value === 0n;
    case 'bytes':
      return value.data.length === 0;
    case 'list':
    case 'map':
      return value.size === 0;
    case 'duration':
      return value.nanos === 0n;
    case 'timestamp':
      return value.seconds === -62_135_596_800 && value.nanos === 0;
    case 'optional':
      return value.value === undefined || isZero(value.value);
    default:
      return false;
  }
}

/**
 * Optional values. The planner implements `or` and `orValue`, which evaluate their argument only when needed.
 */
export const OPTIONALS: readonly CelFunction[] = [
  {
    name: 'optional.of',
    overloads: [
      { id: 'optional_of', arguments: ['any'], invoke: (_frame, value) => OptionalValue.of(value) },
    ],
  },
  {
    name: 'optional.none',
    overloads: [{ id: 'optional_none', arguments: [], invoke: () => OptionalValue.none }],
  },
  {
    name: 'optional.ofNonZeroValue',
    overloads: [
      {
        id: 'optional_ofNonZeroValue',
        arguments: ['any'],
        invoke: (_frame, value) => (isZero(value) ? OptionalValue.none : OptionalValue.of(value)),
      },
    ],
  },
  {
    name: 'hasValue',
    overloads: [
      {
        id: 'optional_hasValue',
        arguments: ['optional'],
        invoke: (_frame, optional) => (optional as OptionalValue).value !== undefined,
      },
    ],
  },
  {
    name: 'value',
    overloads: [
      {
        id: 'optional_value',
        arguments: ['optional'],
        invoke: (_frame, optional) => held(optional as OptionalValue),
      },
    ],
  },
];

/** `value()`: null counts as a value, an absent one is an error. */
function held({ value }: OptionalValue): Value {
  return value === undefined ? NONE_DEREFERENCED : value;
}
