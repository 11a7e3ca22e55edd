import type { Steps } from '../steps/steps.ts';
import { checkShape, ShapeError } from './configuration.ts';
import { mergeConfiguration } from './merge.ts';
import { fieldElement, formatElement } from './path-element.ts';
import { type Shape, shapeOfValues } from './shape.ts';

/**
 * Merges an apply configuration into an object, both plain, as server-side apply does, but without owners:
 * nothing is removed. Neither is modified; the result shares parts with both.
 * @throws ShapeError when one of them does not fit the shape, or the configuration sets an atomic value
 */
export function* mergeWithoutOwners(shape: Shape, object: object, configuration: object): Steps<object> {
  yield* check(shape, configuration, 'failed to convert patch object to typed object');
  yield;
  const atomics = [...atomicValues(shape, configuration, '')];
  if (atomics.length > 0)
    throw new ShapeError(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    );
  yield* check(shape, object, 'failed to convert original object to typed object');
  yield;
  return (yield* mergeConfiguration(shape, object, configuration)) as object;
}

function* check(shape: Shape, plain: object, text: string): Steps<void> {
  try {
    yield* checkShape(shape, plain);
  } catch (error) {
    if (error instanceof ShapeError) throw new ShapeError(`${text}: ${error.message}`);
    throw error;
  }
}

/** The paths of the lists and maps that are replaced as a whole, with those inside of them. */
function* atomicValues(declared: Shape, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  let shape = shapeOfValues(declared, value);
  if (shape.kind === 'leaf') {
    yield path;
    const inside = shape.inside?.();
    if (inside === undefined) return;
    shape = inside;
  }
  if (Array.isArray(value)) {
    const item = shape.kind === 'keyed' ? shape.item() : shape;
    if (shape.kind === 'set') return;
    for (const [index, element] of value.entries()) yield* atomicValues(item, element, `${path}[${index}]`);
    return;
  }
  for (const name of Object.keys(value)) {
    const member = shape.member(name);
    if (member?.named === true)
      yield* atomicValues(
        member.shape,
        (value as Record<string, unknown>)[name],
        `${path}${formatElement(fieldElement(name))}`,
      );
  }
}
