/** A double as `string(double)` prints it: the shortest digits that read back, with an exponent of two digits or more below 1e-4 and from 1e+21. */
export function formatDouble(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 21)) return formatPlain(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** A double with the shortest digits that read back and never an exponent. */
export function formatPlain(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const sign = value < 0 ? '-' : '';
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return undefined;
}

const DECIMAL = /^[+-]?(?:\d(?:_?\d)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a double as conversions do: decimal forms, `inf`, `infinity` and `nan` in any case; undefined for anything else and beyond the range. */
export function parseDouble(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    if (special[2]!.toLowerCase() === 'nan') return special[1] === '' ? Number.NaN : undefined;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (text.includes('_') || !DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
