/** A number (int32) or a text such as a port name or a percentage. */
export type IntOrString = number | string;

/**
 * Resolves a count, or a percentage of `total`.
 * @param roundUp how a percentage is rounded
 * @returns undefined for a text that is not a percentage
 */
export function resolvePercentage(value: IntOrString, total: number, roundUp: boolean): number | undefined {
  if (typeof value === 'number') return value;
  const percentage = /^([+-]?\d{1,9})%$/.exec(value);
  if (!percentage) return undefined;
  const share = (Number(percentage[1]) * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}
