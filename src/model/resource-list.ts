import { getMember } from './object.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from './quantity.ts';

/** Quantities by resource name. */
export type ResourceList = ReadonlyMap<string, Quantity>;

const ZERO: Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };

/** Parses the quantities of a resource list. */
export const toResources = (texts: Readonly<Record<string, string>> | undefined): Map<string, Quantity> =>
  new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, parseQuantity(text)]));

/** Formats quantities, sorted by name. */
export function toTexts(resources: ResourceList): Record<string, string> {
  return Object.fromEntries(
    [...resources].sort(byName).map(([name, quantity]) => [name, formatAmount(quantity)]),
  );
}

export const formatAmount = (quantity: Quantity): string => quantity.text ?? formatQuantity(quantity);
const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1;

export const count = (number: number): Quantity => parseQuantity(String(number));

export function addResources(left: ResourceList, right: ResourceList): Map<string, Quantity> {
  const sum = new Map(left);
  for (const [name, quantity] of right)
    sum.set(name, addQuantities(sum.get(name) ?? { ...ZERO, format: quantity.format }, quantity));
  return sum;
}

/** Returns the larger quantity of each name. */
export function maximumResources(left: ResourceList, right: ResourceList): Map<string, Quantity> {
  const maximum = new Map(left);
  for (const [name, quantity] of right)
    if (!maximum.has(name) || compareQuantities(quantity, maximum.get(name)!) > 0)
      maximum.set(name, quantity);
  return maximum;
}

/** Returns the positive differences `left - right`. */
export function increase(left: ResourceList, right: ResourceList): Map<string, Quantity> {
  const result = new Map<string, Quantity>();
  for (const [name, quantity] of left) {
    const difference = right.has(name) ? subtractQuantities(quantity, right.get(name)!) : quantity;
    if (difference.unscaled > 0n) result.set(name, difference);
  }
  return result;
}

/** Returns the quantities whose names are in `names`. */
export const mask = (resources: ResourceList, names: { has(name: string): boolean }): Map<string, Quantity> =>
  new Map([...resources].filter(([name]) => names.has(name)));

/** Formats quantities as `name=amount,…`, sorted by name, for error messages. */
export const formatResources = (resources: ResourceList): string =>
  [...resources]
    .sort(byName)
    .map(([name, quantity]) => `${name}=${formatAmount(quantity)}`)
    .join(',');

/** Parses one member of a resource list; undefined when it is absent. */
export const amountOf = (
  texts: Readonly<Record<string, string>> | undefined,
  name: string,
): Quantity | undefined => {
  const text = getMember(texts ?? {}, name);
  return typeof text === 'string' ? parseQuantity(text) : undefined;
};
