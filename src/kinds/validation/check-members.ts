import type { FieldError } from '../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../steps/replay.ts';

/** Cost of checking a name or a quantity, roughly in microseconds. */
const NAME_COST = 3;

/**
 * The errors of all members of a map, in order, as `checkEach` returns those of a list.
 * @param place identifies one of several checks of the same map
 */
export const checkMembers = <Value>(
  map: Readonly<Record<string, Value>> = {},
  place: string,
  check: (name: string, value: Value) => readonly FieldError[],
): FieldError[] =>
  checkEach(map, { place, cost: NAME_COST, items: () => Object.keys(map) }, (name) =>
    check(name, map[name]!),
  );

/** Bytes of the names and values of a map of texts. */
export function bytesOfMembers(map: Readonly<Record<string, string>>): number {
  const place = { place: 'bytes', cost: 0.5, items: () => Object.keys(map) };
  const sizes = resultsOfEach<string, number>(
    map,
    place,
    (name) => Buffer.byteLength(name) + Buffer.byteLength(map[name]!),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
