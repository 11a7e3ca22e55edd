import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, typeOf, UINT } from '../types.ts';
import { declare, type Library, plain } from './library.ts';
import { A } from './opaque-types.ts';

/** Type conversions, named by their result type. */
export const conversionsLibrary: Library = {
  name: 'conversions',
  since: 0,
  functions: [
    declare('bool', plain('bool_to_bool', [BOOL], BOOL), plain('string_to_bool', [STRING], BOOL)),
    declare('bytes', plain('bytes_to_bytes', [BYTES], BYTES), plain('string_to_bytes', [STRING], BYTES)),
    declare(
      'double',
      plain('double_to_double', [DOUBLE], DOUBLE),
      plain('int64_to_double', [INT], DOUBLE),
      plain('string_to_double', [STRING], DOUBLE),
      plain('uint64_to_double', [UINT], DOUBLE),
    ),
    declare(
      'duration',
      plain('duration_to_duration', [DURATION], DURATION),
      plain('int64_to_duration', [INT], DURATION),
      plain('string_to_duration', [STRING], DURATION),
    ),
    declare('dyn', plain('to_dyn', [A], DYN)),
    declare(
      'int',
      plain('double_to_int64', [DOUBLE], INT),
      plain('duration_to_int64', [DURATION], INT),
      plain('int64_to_int64', [INT], INT),
      plain('string_to_int64', [STRING], INT),
      plain('timestamp_to_int64', [TIMESTAMP], INT),
      plain('uint64_to_int64', [UINT], INT),
    ),
    declare(
      'string',
      plain('bool_to_string', [BOOL], STRING),
      plain('bytes_to_string', [BYTES], STRING),
      plain('double_to_string', [DOUBLE], STRING),
      plain('duration_to_string', [DURATION], STRING),
      plain('int64_to_string', [INT], STRING),
      plain('string_to_string', [STRING], STRING),
      plain('timestamp_to_string', [TIMESTAMP], STRING),
      plain('uint64_to_string', [UINT], STRING),
    ),
    declare(
      'timestamp',
      plain('int64_to_timestamp', [INT], TIMESTAMP),
      plain('string_to_timestamp', [STRING], TIMESTAMP),
      plain('timestamp_to_timestamp', [TIMESTAMP], TIMESTAMP),
    ),
    declare('type', plain('type', [A], typeOf(A))),
    declare(
      'uint',
      plain('double_to_uint64', [DOUBLE], UINT),
      plain('int64_to_uint64', [INT], UINT),
      plain('string_to_uint64', [STRING], UINT),
      plain('uint64_to_uint64', [UINT], UINT),
    ),
  ],
};
