import BTreeModule from 'sorted-btree';

/**
 * The ordered map, compared with `<`: keys hold one byte a character.
 * The package is CommonJS; its class stands under `default` of what Node imports, and test runners and
 * bundlers unwrap that.
 */
type SortedMapClass = typeof BTreeModule.default;
const BTree =
  (BTreeModule as { default?: SortedMapClass }).default ?? (BTreeModule as unknown as SortedMapClass);

export type SortedMap<V> = InstanceType<typeof BTree<string, V>>;

export const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function createSortedMap<V>(): SortedMap<V> {
  return new BTree<string, V>(undefined, compareKeys);
}
