import type { SortedMap } from '../storage/sorted-map.ts';
import type { CacheRecord } from './record.ts';

export type Tree = SortedMap<CacheRecord>;

/** The state of the resource at one revision; it does not change while it is read. */
export interface Snapshot {
  readonly revision: number;
  readonly size: number;
  /** Records with start <= key < end in key order, until `visit` returns false. */
  scan(start: string, end: string, visit: (record: CacheRecord) => boolean | undefined): void;
  count(start: string, end: string): number;
}

/** The state of a tree, which is not copied. */
export function snapshotOf(tree: Tree, revision: number): Snapshot {
  return {
    revision,
    size: tree.size,
    scan(start, end, visit) {
      tree.forRange(start, end, false, (_key, record) =>
        visit(record) === false ? { break: true } : undefined,
      );
    },
    count(start, end) {
      let count = 0;
      tree.forRange(start, end, false, () => {
        count += 1;
      });
      return count;
    },
  };
}
