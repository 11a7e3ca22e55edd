/** A double with a number of decimals, rounded half to even, with commas between thousands unless told otherwise; `∞` for infinities. */
export function fixed(value: number, decimals: number, grouped = true): string {
  if (!Number.isFinite(value)) return special(value);
  const digits = exactDecimals(Math.abs(value), decimals);
  const [whole, fraction] = digits.split('.') as [string, string | undefined];
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const thousands = grouped ? groupThousands(whole) : whole;
  return `${sign}${thousands}${fraction === undefined ? '' : `.${fraction}`}`;
}

function groupThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(end - 3, 0), end));
  return groups.join(',');
}

/** Most decimals that the platform writes exactly. */
const EXACT = 100;

function exactDecimals(value: number, decimals: number): string {
  const exact = value >= 1e21 ? `${BigInt(value)}.${'0'.repeat(EXACT)}` : value.toFixed(EXACT);
  if (decimals >= EXACT) return exact + '0'.repeat(decimals - EXACT);
  const cut = exact.length - EXACT + decimals;
  const dropped = exact.slice(cut);
  const kept = BigInt(exact.slice(0, cut).replace('.', ''));
  const up = dropped[0]! > '5' || (dropped[0] === '5' && (/[1-9]/.test(dropped.slice(1)) || kept % 2n === 1n));
  const digits = String(up ? kept + 1n : kept).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Between the digits, the sign of multiplication and the power. */
const NARROW_SPACE = '\u202f';

/** A double in scientific form: always six decimals, `1.234500 × 10⁰³`. The precision that was asked for is a least width. */
export function scientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return special(value).padStart(width);
  const [digits, exponent] = value.toExponential(6).split('e') as [string, string];
  const power = Array.from(String(Math.abs(Number(exponent))).padStart(2, '0'), (digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return `${digits}${NARROW_SPACE}×${NARROW_SPACE}10${exponent.startsWith('-') ? '⁻' : ''}${power}`.padStart(width);
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}
