import { keyElement, type PathElement, valueElement } from './path-element.ts';
import type { Shape } from './shape.ts';

/** The path element of a list item: by its keys, or by its value. */
export function itemElement(shape: Shape, item: unknown): PathElement {
  if (shape.kind === 'keyed' && typeof item === 'object' && item !== null)
    return keyElement(item, shape.keys, shape.keyDefaults);
  return valueElement(item);
}

/** Items of a list by their path element; several items when the list has duplicates. */
export type ItemsByElement = Map<PathElement, unknown[]>;

export function addItem(items: ItemsByElement, shape: Shape, item: unknown): void {
  const element = itemElement(shape, item);
  const same = items.get(element);
  if (same === undefined) items.set(element, [item]);
  else same.push(item);
}
