import { BOOL, BYTES, INT, list, map, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';
import { A, B } from './opaque-types.ts';

/** Functions of strings, lists and maps that are part of the language. */
export const standardLibrary: Library = {
  name: 'standard',
  since: 0,
  functions: [
    declare('contains', member('contains_string', STRING, [STRING], BOOL)),
    declare('endsWith', member('ends_with_string', STRING, [STRING], BOOL)),
    declare(
      'matches',
      plain('matches', [STRING, STRING], BOOL),
      member('matches_string', STRING, [STRING], BOOL),
    ),
    declare(
      'size',
      member('bytes_size', BYTES, [], INT),
      member('list_size', list(A), [], INT),
      member('map_size', map(A, B), [], INT),
      plain('size_bytes', [BYTES], INT),
      plain('size_list', [list(A)], INT),
      plain('size_map', [map(A, B)], INT),
      plain('size_string', [STRING], INT),
      member('string_size', STRING, [], INT),
    ),
    declare('startsWith', member('starts_with_string', STRING, [STRING], BOOL)),
  ],
};
