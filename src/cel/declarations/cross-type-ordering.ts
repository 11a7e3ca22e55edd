import { BOOL, DOUBLE, INT, UINT } from '../types.ts';
import { declare, type Library, plain } from './library.ts';

/** Ordering between numbers of different types. */
export const crossTypeOrderingLibrary: Library = {
  name: 'cross-type-ordering',
  since: 28,
  functions: [
    declare(
      '_<=_',
      plain('less_equals_double_int64', [DOUBLE, INT], BOOL),
      plain('less_equals_double_uint64', [DOUBLE, UINT], BOOL),
      plain('less_equals_int64_double', [INT, DOUBLE], BOOL),
      plain('less_equals_int64_uint64', [INT, UINT], BOOL),
      plain('less_equals_uint64_double', [UINT, DOUBLE], BOOL),
      plain('less_equals_uint64_int64', [UINT, INT], BOOL),
    ),
    declare(
      '_<_',
      plain('less_double_int64', [DOUBLE, INT], BOOL),
      plain('less_double_uint64', [DOUBLE, UINT], BOOL),
      plain('less_int64_double', [INT, DOUBLE], BOOL),
      plain('less_int64_uint64', [INT, UINT], BOOL),
      plain('less_uint64_double', [UINT, DOUBLE], BOOL),
      plain('less_uint64_int64', [UINT, INT], BOOL),
    ),
    declare(
      '_>=_',
      plain('greater_equals_double_int64', [DOUBLE, INT], BOOL),
      plain('greater_equals_double_uint64', [DOUBLE, UINT], BOOL),
      plain('greater_equals_int64_double', [INT, DOUBLE], BOOL),
      plain('greater_equals_int64_uint64', [INT, UINT], BOOL),
      plain('greater_equals_uint64_double', [UINT, DOUBLE], BOOL),
      plain('greater_equals_uint64_int64', [UINT, INT], BOOL),
    ),
    declare(
      '_>_',
      plain('greater_double_int64', [DOUBLE, INT], BOOL),
      plain('greater_double_uint64', [DOUBLE, UINT], BOOL),
      plain('greater_int64_double', [INT, DOUBLE], BOOL),
      plain('greater_int64_uint64', [INT, UINT], BOOL),
      plain('greater_uint64_double', [UINT, DOUBLE], BOOL),
      plain('greater_uint64_int64', [UINT, INT], BOOL),
    ),
  ],
};
