import { setMember } from '../../model/object.ts';
import * as quantities from '../../model/quantity.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** Detail of the error for a negative value. */
export const NOT_NEGATIVE = 'must be greater than or equal to 0';

const ZERO: quantities.Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };
const MILLI = -3;

/** Parses a quantity that decoding has validated; zero when it is absent. */
export function readQuantity(text: string | undefined): quantities.Quantity {
  if (text === undefined || text === '') return ZERO;
  try {
    return quantities.parseQuantity(text);
  } catch (error) {
    if (error instanceof quantities.QuantityError) return ZERO;
    throw error;
  }
}

/** Compares two quantities; negative, zero or positive. */
export const compareQuantityTexts = (a: string | undefined, b: string | undefined): number =>
  a === b ? 0 : quantities.compareQuantities(readQuantity(a), readQuantity(b));
export const quantityTextSign = (text: string | undefined): number =>
  quantities.quantitySign(readQuantity(text));

/** Returns whether a quantity is an integer; the pattern covers common texts without parsing. */
export const isWholeText = (text: string): boolean =>
  /^\d{1,6}([KMG]i|[kMGTPE])?$/.test(text) || isWholeAmount(text);

function isWholeAmount(text: string): boolean {
  const quantity = readQuantity(text);
  return quantities.isWholeQuantity(quantity) && !quantities.wrapsInThousandths(quantity);
}

/**
 * The value in units of 10^`scale` as the int64 that kube-apiserver computes, rounded away from zero: beyond its
 * range it wraps around, or is 0 for a quantity that is no arbitrary-precision decimal.
 */
export function int64Value(text: string, scale = 0): bigint {
  const quantity = readQuantity(text);
  const value = quantities.scaledQuantity(quantity, scale);
  const wrapped = BigInt.asIntN(64, value);
  return wrapped === value || quantity.exact === true ? wrapped : 0n;
}

/** Rejects a quantity whose int64 value is negative. */
export function validateBasicQuantity(text: string, field: string): FieldError[] {
  const value = int64Value(text);
  return value < 0n ? [invalid(field, value, 'must be a valid resource quantity')] : [];
}

/** A small suffix, a long fraction, a fraction of thousandths or a negative exponent. */
const MAY_BE_FINE = /[nu]|\.[0-9]{4}|\.[0-9]+m|[eE]-/;

/** Rounds the quantities of a resource list up to thousandths, in place. */
export function roundResourceList(list: Record<string, string> | undefined): void {
  if (list === undefined) return;
  for (const name of Object.keys(list)) {
    const text = list[name]!;
    if (!MAY_BE_FINE.test(text)) continue;
    const quantity = readQuantity(text);
    if (quantity.scale < MILLI)
      setMember(list, name, quantities.formatQuantity(quantities.roundUpQuantity(quantity, MILLI)));
  }
}

/** Rejects negative quantities; the error contains the text, as in kube-apiserver. */
export const validateNonNegativeQuantity = (text: string, field: string): FieldError[] =>
  text.startsWith('-') && quantityTextSign(text) < 0 ? [invalid(field, text, NOT_NEGATIVE)] : [];
export const validatePositiveQuantity = (text: string, field: string): FieldError[] =>
  quantityTextSign(text) <= 0 ? [invalid(field, text, 'must be greater than zero')] : [];
