import { map } from '../types.ts';
import { declare, type Library, plain } from './library.ts';
import { A, B } from './opaque-types.ts';

/** Functions in the expansion of macros that build maps. */
export const twoVariableComprehensionsLibrary: Library = {
  name: 'two-variable-comprehensions',
  since: 32,
  functions: [
    declare(
      'cel.@mapInsert',
      plain('@mapInsert_map_key_value', [map(A, B), A, B], map(A, B)),
      plain('@mapInsert_map_map', [map(A, B), map(A, B)], map(A, B)),
    ),
  ],
};
