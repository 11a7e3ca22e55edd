import type { FieldError } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';

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
