import {
  addQuantities,
  compareQuantities,
  isWholeQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantitySign,
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
 * for texts and sums that the reference keeps as decimals, such as those with more than 18 digits.
 */
function integerOf({ unscaled, scale, exact }: Quantity): Value {
  if (exact) return NOT_INTEGER;
  if (scale < 0 || scale > 18 || !isWholeQuantity({ unscaled, scale, format: 'DecimalSI' }))
    return unscaled === 0n && scale >= 0 ? 0 : NOT_INTEGER;
  const int = intOf(unscaled * 10n ** BigInt(scale));
  return typeof int === 'object' ? NOT_INTEGER : int;
}

/** Digits after the decimal point of the amounts that the reference keeps as decimals. */
const DECIMAL_DIGITS = 9;

/** The quantity as a double: the digits, then multiplied by a power of ten, each rounded. */
function approximate({ unscaled, scale, exact }: Quantity): Double {
  const more = exact && unscaled !== 0n ? Math.min(scale + DECIMAL_DIGITS, MAX_EXPONENT_DISTANCE) : 0;
  const [digits, power] = more > 0 ? [unscaled * 10n ** BigInt(more), scale - more] : [unscaled, scale];
  return new Double(power === 0 ? Number(digits) : Number(digits) * Number(`1e${power}`));
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
    overloads: [one('quantity_get_float', approximate)],
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
