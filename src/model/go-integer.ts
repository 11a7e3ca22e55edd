/** Digits of the greatest 64-bit integer; leading zeros are not counted. */
const MOST_DIGITS = 19;

/**
 * Parses a decimal 64-bit integer as Go's `strconv.ParseInt` does.
 * @returns the value, or the reason why there is none
 */
export function parseGoInt64(text: string): bigint | 'invalid syntax' | 'value out of range' {
  if (!/^[+-]?\d+$/.test(text)) return 'invalid syntax';
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > MOST_DIGITS) return 'value out of range';
  const amount = BigInt(digits === '' ? 0 : digits);
  const value = text.startsWith('-') ? -amount : amount;
  return BigInt.asIntN(64, value) === value ? value : 'value out of range';
}
