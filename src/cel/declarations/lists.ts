import { BOOL, BYTES, DOUBLE, DURATION, INT, list, STRING, TIMESTAMP, UINT } from '../types.ts';
import { declare, type Library, member } from './library.ts';
import { A } from './opaque-types.ts';

/** List functions. */
export const listsLibrary: Library = {
  name: 'lists',
  since: 0,
  functions: [
    declare('indexOf', member('list_a_index_of_int', list(A), [A], INT)),
    declare(
      'isSorted',
      member('list_int_is_sorted_bool', list(INT), [], BOOL),
      member('list_uint_is_sorted_bool', list(UINT), [], BOOL),
      member('list_double_is_sorted_bool', list(DOUBLE), [], BOOL),
      member('list_bool_is_sorted_bool', list(BOOL), [], BOOL),
      member('list_duration_is_sorted_bool', list(DURATION), [], BOOL),
      member('list_timestamp_is_sorted_bool', list(TIMESTAMP), [], BOOL),
      member('list_string_is_sorted_bool', list(STRING), [], BOOL),
      member('list_bytes_is_sorted_bool', list(BYTES), [], BOOL),
    ),
    declare('lastIndexOf', member('list_a_last_index_of_int', list(A), [A], INT)),
    declare(
      'max',
      member('list_int_max_int', list(INT), [], INT),
      member('list_uint_max_uint', list(UINT), [], UINT),
      member('list_double_max_double', list(DOUBLE), [], DOUBLE),
      member('list_bool_max_bool', list(BOOL), [], BOOL),
      member('list_duration_max_duration', list(DURATION), [], DURATION),
      member('list_timestamp_max_timestamp', list(TIMESTAMP), [], TIMESTAMP),
      member('list_string_max_string', list(STRING), [], STRING),
      member('list_bytes_max_bytes', list(BYTES), [], BYTES),
    ),
    declare(
      'min',
      member('list_int_min_int', list(INT), [], INT),
      member('list_uint_min_uint', list(UINT), [], UINT),
      member('list_double_min_double', list(DOUBLE), [], DOUBLE),
      member('list_bool_min_bool', list(BOOL), [], BOOL),
      member('list_duration_min_duration', list(DURATION), [], DURATION),
      member('list_timestamp_min_timestamp', list(TIMESTAMP), [], TIMESTAMP),
      member('list_string_min_string', list(STRING), [], STRING),
      member('list_bytes_min_bytes', list(BYTES), [], BYTES),
    ),
    declare(
      'sum',
      member('list_int_sum_int', list(INT), [], INT),
      member('list_uint_sum_uint', list(UINT), [], UINT),
      member('list_double_sum_double', list(DOUBLE), [], DOUBLE),
      member('list_duration_sum_duration', list(DURATION), [], DURATION),
    ),
  ],
};
