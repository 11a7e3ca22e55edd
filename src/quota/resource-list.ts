import { getMember } from '../model/object.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../model/quantity.ts';

/** Amounts by resource name. */
export type ResourceList = ReadonlyMap<string, Quantity>;

const ZERO: Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };

/** Amounts from their texts in an object. */
export const toResources = (texts: Readonly<Record<string, string>> | undefined): Map<string, Quantity> =>
  new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, parseQuantity(text)]));

/** Amounts as texts, by name. */
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

/** The larger of both, by name. */
export function maximumResources(left: ResourceList, right: ResourceList): Map<string, Quantity> {
  const maximum = new Map(left);
  for (const [name, quantity] of right)
    if (!maximum.has(name) || compareQuantities(quantity, maximum.get(name)!) > 0)
      maximum.set(name, quantity);
  return maximum;
}

/** What `left` has more than `right`; without what has become nothing. */
export function increase(left: ResourceList, right: ResourceList): Map<string, Quantity> {
  const result = new Map<string, Quantity>();
  for (const [name, quantity] of left) {
    const difference = right.has(name) ? subtractQuantities(quantity, right.get(name)!) : quantity;
    if (difference.unscaled > 0n) result.set(name, difference);
  }
  return result;
}

/** Amounts whose names are among `names`. */
export const mask = (resources: ResourceList, names: { has(name: string): boolean }): Map<string, Quantity> =>
  new Map([...resources].filter(([name]) => names.has(name)));

/** `name=amount,…` by name, as messages show it. */
export const formatResources = (resources: ResourceList): string =>
  [...resources]
    .sort(byName)
    .map(([name, quantity]) => `${name}=${formatAmount(quantity)}`)
    .join(',');

/** Member of an object of texts, whatever its name. */
export const amountOf = (
  texts: Readonly<Record<string, string>> | undefined,
  name: string,
): Quantity | undefined => {
  const text = getMember(texts ?? {}, name);
  return typeof text === 'string' ? parseQuantity(text) : undefined;
};
