import BTreeModule from 'sorted-btree';

/**
 * The ordered map, compared with `<`: keys have one byte per character. The package is CommonJS: Node exposes
 * its class as `default`, while test runners and bundlers unwrap it.
 */
type SortedMapClass = typeof BTreeModule.default;
const BTree =
  (BTreeModule as { default?: SortedMapClass }).default ?? (BTreeModule as unknown as SortedMapClass);

export type SortedMap<V> = InstanceType<typeof BTree<string, V>>;

export const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function createSortedMap<V>(): SortedMap<V> {
  return new BTree<string, V>(undefined, compareKeys);
}
