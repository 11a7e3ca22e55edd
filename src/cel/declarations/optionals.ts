import { BOOL, DYN, INT, list, map, optional, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';
import { A, B } from './opaque-types.ts';

/** Optional values and the optional forms of select and index. */
export const optionalsLibrary: Library = {
  name: 'optionals',
  since: 28,
  functions: [
    declare('_?._', plain('select_optional_field', [DYN, STRING], optional(A))),
    declare(
      '_[?_]',
      plain('list_optindex_optional_int', [list(A), INT], optional(A)),
      plain('map_optindex_optional_value', [map(A, B), A], optional(B)),
      plain('optional_list_optindex_optional_int', [optional(list(A)), INT], optional(A)),
      plain('optional_map_optindex_optional_value', [optional(map(A, B)), A], optional(B)),
    ),
    declare(
      '_[_]',
      plain('optional_list_index_int', [optional(list(A)), INT], optional(A)),
      plain('optional_map_index_value', [optional(map(A, B)), A], optional(B)),
    ),
    declare('hasValue', member('optional_hasValue', optional(A), [], BOOL)),
    declare('optional.none', plain('optional_none', [], optional(A))),
    declare('optional.ofNonZeroValue', plain('optional_ofNonZeroValue', [A], optional(A))),
    declare('optional.of', plain('optional_of', [A], optional(A))),
    declare('orValue', member('optional_orValue_value', optional(A), [A], A)),
    declare('or', member('optional_or_optional', optional(A), [optional(A)], optional(A))),
    declare('value', member('optional_value', optional(A), [], A)),
  ],
};
