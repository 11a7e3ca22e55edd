/**
 * Structures inside error texts, in the reference's own notation: `pkg.Type{Member:value, …}`. A pointer
 * prints as an address, which means nothing and differs from answer to answer; here it is always the same.
 */
const ADDRESS = '0xc000000000';

export const formatGoText = (text: string | undefined): string => JSON.stringify(text ?? '');

/** @param members values that are printed already, in the order of the type */
export const formatGoStruct = (type: string, members: Readonly<Record<string, string>>): string =>
  `${type}{${Object.entries(members)
    .map(([name, value]) => `${name}:${value}`)
    .join(', ')}}`;

/** What a member that points to `type` prints as. */
export const formatGoPointer = (type: string, value: unknown): string =>
  value === undefined ? `(*${type})(nil)` : `(*${type})(${ADDRESS})`;

/** @param formatElement prints one element */
export function formatGoList<T>(
  type: string,
  list: readonly T[] | undefined,
  formatElement: (element: T) => string,
): string {
  return list === undefined ? `[]${type}(nil)` : `[]${type}{${list.map(formatElement).join(', ')}}`;
}
