import { quote } from '../../errors/quote.ts';
import { joinShown } from '../../errors/shown.ts';

/**
 * Formats structures in error messages like Go's `%#v`: `pkg.Type{Member:value, …}`. Go prints pointers as
 * addresses, which differ between responses; here they are constant.
 */
const ADDRESS = '0xc000000000';

export const formatGoText = (text: string | undefined): string => quote(text ?? '');

/** @param members formatted values in the order of the type */
export const formatGoStruct = (type: string, members: Readonly<Record<string, string>>): string =>
  `${type}{${Object.entries(members)
    .map(([name, value]) => `${name}:${value}`)
    .join(', ')}}`;

/** Formats a pointer to `type`. */
export const formatGoPointer = (type: string, value: unknown): string =>
  value === undefined ? `(*${type})(nil)` : `(*${type})(${ADDRESS})`;

/** @param formatElement formats one element */
export function formatGoList<T>(
  type: string,
  list: readonly T[] | undefined,
  formatElement: (element: T) => string,
): string {
  return list === undefined ? `[]${type}(nil)` : `[]${type}{${joinShown(list, ', ', formatElement)}}`;
}
