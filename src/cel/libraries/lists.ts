import { traverseFirst } from '../cost/runtime.ts';
import { compare } from '../values/compare.ts';
import { equal } from '../values/equality.ts';
import { ErrorValue, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import type { ListValue } from '../values/list.ts';
import { Double, Uint } from '../values/scalars.ts';
import { codePointCount } from '../values/text.ts';
import { Duration } from '../values/time.ts';
import { isError, kindOf, type Value } from '../values/value.ts';
import { add } from './arithmetic.ts';
import type { CelFunction, Implementation } from './function.ts';
import { indexOfText, lastIndexOfText } from './strings.ts';

const ORDERED = ['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint'];

const isOrdered = (value: Value): boolean => ORDERED.includes(kindOf(value));

/** Neighbours without an order (of different types, or NaN) count as sorted. */
const isSorted: Implementation = (_frame, value) => {
  const list = value as ListValue;
  for (let index = 0; index < list.size; index++) {
    const next = list.get(index);
    if (!isOrdered(next)) return isError(next) ? next : NO_SUCH_OVERLOAD;
    if (index > 0 && (compare(list.get(index - 1), next) ?? 0) > 0) return false;
  }
  return true;
};

/** `min` (`sign` is -1) or `max` (`sign` is 1); an element without an order to the best so far is passed over. */
function extreme(name: string, sign: number): Implementation {
  const empty = new ErrorValue(`${name} called on empty list`);
  return (_frame, value) => {
    const list = value as ListValue;
    if (list.size === 0) return empty;
    let best = list.get(0);
    for (let index = 0; index < list.size; index++) {
      const next = list.get(index);
      if (!isOrdered(next)) return isError(next) ? next : NO_SUCH_OVERLOAD;
      if ((compare(next, best) ?? 0) * sign > 0) best = next;
    }
    return best;
  };
}

/** `sum`, starting from the zero of the element type. */
function sumFrom(zero: Value): Implementation {
  return (frame, value) => {
    const list = value as ListValue;
    let total = zero;
    for (let index = 0; index < list.size && !isError(total); index++)
      total = add(frame, total, list.get(index));
    return total;
  };
}

const indexOf: Implementation = (frame, value, element) => {
  const list = value as ListValue;
  for (let index = 0; index < list.size; index++) if (equal(list.get(index), element, frame)) return index;
  return -1;
};

const lastIndexOf: Implementation = (frame, value, element) => {
  const list = value as ListValue;
  for (let index = list.size - 1; index >= 0; index--)
    if (equal(list.get(index), element, frame)) return index;
  return -1;
};

const ZEROS: Readonly<Record<string, Value>> = {
  double: new Double(0),
  duration: new Duration(0n),
  int: 0,
  uint: new Uint(0n),
};

/** A list function for each element type; ids have the form `list_int_min_int`. */
const perType = (
  name: string,
  types: readonly string[],
  idOf: (type: string) => string,
  invokeOf: (type: string) => Implementation,
): CelFunction => ({
  name,
  cost: traverseFirst,
  overloads: types.map((type) => ({
    id: idOf(type),
    arguments: ['list'],
    element: type,
    invoke: invokeOf(type),
  })),
});

/** List functions, and positions in lists and texts. */
export const LISTS: readonly CelFunction[] = [
  perType(
    'isSorted',
    ORDERED,
    (type) => `list_${type}_is_sorted_bool`,
    () => isSorted,
  ),
  perType(
    'min',
    ORDERED,
    (type) => `list_${type}_min_${type}`,
    () => extreme('min', -1),
  ),
  perType(
    'max',
    ORDERED,
    (type) => `list_${type}_max_${type}`,
    () => extreme('max', 1),
  ),
  perType(
    'sum',
    ['int', 'double', 'uint', 'duration'],
    (type) => `list_${type}_sum_${type}`,
    (type) => sumFrom(ZEROS[type]!),
  ),
  {
    name: 'indexOf',
    cost: traverseFirst,
    overloads: [
      { id: 'list_a_index_of_int', arguments: ['list', 'any'], invoke: indexOf },
      {
        id: 'string_index_of_string',
        arguments: ['string', 'string'],
        invoke: (_frame, text, part) => indexOfText(text as string, part as string, 0),
      },
      {
        id: 'string_index_of_string_int',
        arguments: ['string', 'string', 'int'],
        invoke: (_frame, text, part, from) => indexOfText(text as string, part as string, from as number),
      },
    ],
  },
  {
    name: 'lastIndexOf',
    cost: traverseFirst,
    overloads: [
      { id: 'list_a_last_index_of_int', arguments: ['list', 'any'], invoke: lastIndexOf },
      {
        id: 'string_last_index_of_string',
        arguments: ['string', 'string'],
        invoke: (_frame, text, part) => {
          const count = codePointCount(text as string);
          return lastIndexOfText(text as string, part as string, part === '' ? count : count - 1);
        },
      },
      {
        id: 'string_last_index_of_string_int',
        arguments: ['string', 'string', 'int'],
        invoke: (_frame, text, part, from) => lastIndexOfText(text as string, part as string, from as number),
      },
    ],
  },
];
