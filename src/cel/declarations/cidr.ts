import { BOOL, INT, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';
import { CIDR, IP } from './opaque-types.ts';

/** IP address ranges in CIDR notation. */
export const cidrLibrary: Library = {
  name: 'cidr',
  since: 30,
  functions: [
    declare('cidr', plain('string_to_cidr', [STRING], CIDR)),
    declare(
      'containsCIDR',
      member('cidr_contains_cidr', CIDR, [CIDR], BOOL),
      member('cidr_contains_cidr_string', CIDR, [STRING], BOOL),
    ),
    declare(
      'containsIP',
      member('cidr_contains_ip_ip', CIDR, [IP], BOOL),
      member('cidr_contains_ip_string', CIDR, [STRING], BOOL),
    ),
    declare('ip', member('cidr_ip', CIDR, [], IP)),
    declare('isCIDR', plain('is_cidr', [STRING], BOOL)),
    declare('masked', member('cidr_masked', CIDR, [], CIDR)),
    declare('prefixLength', member('cidr_prefix_length', CIDR, [], INT)),
    declare('string', plain('cidr_to_string', [CIDR], STRING)),
  ],
};
