import { BoundedMap } from '../collections/bounded-map.ts';
import { parseQuantity } from '../model/quantity.ts';

/** Amounts whose numbers are remembered by their text. */
const REMEMBERED = 4096;

const wholes = new BoundedMap<string, number>(REMEMBERED);
const thousandths = new BoundedMap<string, number>(REMEMBERED);

/**
 * The amount of a quantity in units, or in thousandths of CPUs for the resource `cpu`. It may have a fraction, and is
 * the nearest double above 2^53. A text that is no quantity counts as 0.
 */
export function amountOf(resource: string, text: string): number {
  const known = resource === 'cpu' ? thousandths : wholes;
  let amount = known.get(text);
  if (amount === undefined) {
    amount = parse(text, resource === 'cpu' ? 3 : 0);
    known.set(text, amount);
  }
  return amount;
}

function parse(text: string, shift: number): number {
  try {
    const { unscaled, scale } = parseQuantity(text);
    return Number(`${unscaled}e${scale + shift}`);
  } catch {
    return 0;
  }
}

/** What is lost or gained by a sum of doubles, at most. */
const ROUNDING = 1e-9;

/** The whole amount that the reference reserves for an amount: it rounds up. */
export const wholeAmount = (amount: number): number =>
  Number.isInteger(amount) ? amount : Math.ceil(amount - ROUNDING);
