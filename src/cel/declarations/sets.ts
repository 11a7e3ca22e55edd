import { BOOL, list } from '../types.ts';
import { declare, type Library, plain } from './library.ts';
import { A } from './opaque-types.ts';

/** Lists as sets. */
export const setsLibrary: Library = {
  name: 'sets',
  since: 29,
  functions: [
    declare('sets.contains', plain('list_sets_contains_list', [list(A), list(A)], BOOL)),
    declare('sets.equivalent', plain('list_sets_equivalent_list', [list(A), list(A)], BOOL)),
    declare('sets.intersects', plain('list_sets_intersects_list', [list(A), list(A)], BOOL)),
  ],
};
