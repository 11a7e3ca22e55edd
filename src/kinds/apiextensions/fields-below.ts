import { lowerBound } from '../../collections/lower-bound.ts';

/**
 * Returns a function that tells whether one of the fields is at or below a path, in logarithmic time: clients
 * determine the number of both.
 */
export function fieldsBelow(fields: readonly string[]): (path: string) => boolean {
  let sorted: readonly string[] | undefined;
  return (path) => {
    sorted ??= [...fields].sort();
    return (
      firstFrom(sorted, path) === path ||
      ['.', '['].some((separator) => firstFrom(sorted!, path + separator)?.startsWith(path + separator))
    );
  };
}

/** The first text that is not before `least`. */
const firstFrom = (sorted: readonly string[], least: string): string | undefined =>
  sorted[lowerBound(sorted, (text) => text < least)];
