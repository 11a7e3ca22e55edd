import { setMember } from '../../model/object.ts';
import * as quantities from '../../model/quantity.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** Detail of the error for a negative value. */
export const NOT_NEGATIVE = 'must be greater than or equal to 0';

const ZERO: quantities.Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };
const MILLI = -3;

/** Quantities arrive decoded, so they are readable; an absent one is zero. */
export function readQuantity(text: string | undefined): quantities.Quantity {
  if (text === undefined || text === '') return ZERO;
  try {
    return quantities.parseQuantity(text);
  } catch (error) {
    if (error instanceof quantities.QuantityError) return ZERO;
    throw error;
  }
}

/** Below zero, zero or above it, as `a` is less than, equal to or more than `b`. */
export const compareQuantityTexts = (a: string | undefined, b: string | undefined): number =>
  a === b ? 0 : quantities.compareQuantities(readQuantity(a), readQuantity(b));
export const quantityTextSign = (text: string | undefined): number =>
  quantities.quantitySign(readQuantity(text));

/** Whether it has no fraction; the usual spellings are told by their looks. */
export const isWholeText = (text: string): boolean =>
  /^\d{1,6}([KMG]i|[kMGTPE])?$/.test(text) || isWholeAmount(text);

function isWholeAmount(text: string): boolean {
  const quantity = readQuantity(text);
  return quantities.isWholeQuantity(quantity) && !quantities.wrapsInThousandths(quantity);
}

/** Amounts of a resource list are kept in thousandths at the finest; what is finer is rounded up. */
export function roundResourceList(list: Record<string, string> | undefined): void {
  if (list === undefined) return;
  for (const [name, text] of Object.entries(list)) {
    // Without a small suffix, a fraction or an exponent there is nothing finer than a thousandth.
    if (!/[nu.eE]/.test(text)) continue;
    const quantity = readQuantity(text);
    if (quantity.scale < MILLI)
      setMember(list, name, quantities.formatQuantity(quantities.roundUpQuantity(quantity, MILLI)));
  }
}

/** Negative amounts are refused; shown as text, as the reference prints them. */
export const validateNonNegativeQuantity = (text: string, field: string): FieldError[] =>
  text.startsWith('-') && quantityTextSign(text) < 0 ? [invalid(field, text, NOT_NEGATIVE)] : [];
export const validatePositiveQuantity = (text: string, field: string): FieldError[] =>
  quantityTextSign(text) <= 0 ? [invalid(field, text, 'must be greater than zero')] : [];
