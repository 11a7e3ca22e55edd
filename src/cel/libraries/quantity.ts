import {
  addQuantities,
  compareQuantities,
  isWholeQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantitySign,
  quantityToNumber,
  subtractQuantities,
} from '../../model/quantity.ts';
import { firstOnce } from '../cost/runtime.ts';
import { ErrorValue } from '../values/error-value.ts';
import { intOf } from '../values/integers.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { Double } from '../values/scalars.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction, Overload } from './function.ts';

/** A value of type `kubernetes.Quantity`. */
export class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

/**
 * The maximum distance between the exponents of two quantities that are added: the sum has that many digits.
 */
const MAX_EXPONENT_DISTANCE = 10_000;

function parse(text: string): Quantity | ErrorValue {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return new ErrorValue(error.message);
    throw error;
  }
}

const NOT_INTEGER = new ErrorValue('cannot convert value to integer');

/**
 * The quantity as an int; an error for fractions (including ones that reduce to whole numbers, `1000m`) and
 * for values beyond 64 bits.
 */
function integerOf({ unscaled, scale }: Quantity): Value {
  if (scale < 0 || scale > 18 || !isWholeQuantity({ unscaled, scale, format: 'DecimalSI' }))
    return unscaled === 0n && scale >= 0 ? 0 : NOT_INTEGER;
  const int = intOf(unscaled * 10n ** BigInt(scale));
  return typeof int === 'object' ? NOT_INTEGER : int;
}

function combine(
  left: Quantity,
  right: Quantity,
  operation: (left: Quantity, right: Quantity) => Quantity,
): Value {
  if (Math.abs(left.scale - right.scale) > MAX_EXPONENT_DISTANCE)
    return new ErrorValue('quantities are too far apart');
  return new QuantityValue(operation(left, right));
}

const whole = (value: Value): Quantity => ({
  unscaled: BigInt(value as number | bigint),
  scale: 0,
  format: 'DecimalSI',
});

const one = (id: string, read: (quantity: Quantity) => Value): Overload => ({
  id,
  arguments: ['kubernetes.Quantity'],
  invoke: (_frame, value) => read((value as QuantityValue).quantity),
});
const two = (id: string, combined: (left: Quantity, right: Quantity) => Value): Overload => ({
  id,
  arguments: ['kubernetes.Quantity', 'kubernetes.Quantity'],
  invoke: (_frame, left, right) =>
    combined((left as QuantityValue).quantity, (right as QuantityValue).quantity),
});
const withInt = (id: string, combined: (left: Quantity, right: Quantity) => Value): Overload => ({
  id,
  arguments: ['kubernetes.Quantity', 'int'],
  invoke: (_frame, left, right) => combined((left as QuantityValue).quantity, whole(right)),
});

const sum = (left: Quantity, right: Quantity): Value => combine(left, right, addQuantities);
const difference = (left: Quantity, right: Quantity): Value => combine(left, right, subtractQuantities);

/** Resource quantities. */
export const QUANTITIES: readonly CelFunction[] = [
  {
    name: 'quantity',
    cost: firstOnce,
    overloads: [
      {
        id: 'string_to_quantity',
        arguments: ['string'],
        invoke: (_frame, text) => {
          const parsed = parse(text as string);
          return parsed instanceof ErrorValue ? parsed : new QuantityValue(parsed);
        },
      },
    ],
  },
  {
    name: 'isQuantity',
    cost: firstOnce,
    overloads: [
      {
        id: 'is_quantity_string',
        arguments: ['string'],
        invoke: (_frame, text) => !(parse(text as string) instanceof ErrorValue),
      },
    ],
  },
  { name: 'sign', overloads: [one('quantity_sign', quantitySign)] },
  {
    name: 'isInteger',
    overloads: [one('quantity_is_integer', (quantity) => integerOf(quantity) !== NOT_INTEGER)],
  },
  { name: 'asInteger', overloads: [one('quantity_get_int', integerOf)] },
  {
    name: 'asApproximateFloat',
    overloads: [one('quantity_get_float', (quantity) => new Double(quantityToNumber(quantity)))],
  },
  {
    name: 'isLessThan',
    overloads: [two('quantity_is_less_than', (left, right) => compareQuantities(left, right) < 0)],
  },
  {
    name: 'isGreaterThan',
    overloads: [two('quantity_is_greater_than', (left, right) => compareQuantities(left, right) > 0)],
  },
  { name: 'compareTo', overloads: [two('quantity_compare_to', compareQuantities)] },
  { name: 'add', overloads: [two('quantity_add', sum), withInt('quantity_add_int', sum)] },
  { name: 'sub', overloads: [two('quantity_sub', difference), withInt('quantity_sub_int', difference)] },
];
