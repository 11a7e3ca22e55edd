import { BinnacleError } from '../errors/binnacle-error.ts';
import { quote } from '../errors/quote.ts';
import { getMember } from '../model/object.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';
import type { Shape } from './shape.ts';

/** An item of a keyed list lacks a key: fields of the object cannot be named. */
export class MissingKeyError extends BinnacleError {
  override name = 'MissingKeyError';
  readonly code = 'ERR_BINNACLE_MISSING_KEY';
  constructor(key: string) {
    super(missingKeyText(key));
  }
}

export const missingKeyText = (key: string): string =>
  `associative list with keys has an element that omits key field ${quote(key)} (and doesn't have default value)`;

/** The first key of a keyed list that an item lacks, and that has no default. */
export const missingKey = ({ keys, keyDefaults }: Shape, item: object): string | undefined =>
  keys.find((key) => getMember(item, key) === undefined && keyDefaults.get(key) === undefined);

/** The path element of a list item: by its keys, or by its value. @throws MissingKeyError */
export function itemElement(shape: Shape, item: unknown): PathElement {
  if (shape.kind !== 'keyed' || typeof item !== 'object' || item === null) return valueElement(item);
  const missing = missingKey(shape, item);
  if (missing !== undefined) throw new MissingKeyError(missing);
  return keyElement(item, shape.keys, shape.keyDefaults);
}

/** Items of a list by their path element; several items when the list has duplicates. */
export type ItemsByElement = Map<PathElement, unknown[]>;

/** @throws MissingKeyError */
export function addItem(items: ItemsByElement, shape: Shape, item: unknown): void {
  const element = itemElement(shape, item);
  const same = items.get(element);
  if (same === undefined) items.set(element, [item]);
  else same.push(item);
}
