import { BOOL, INT, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';
import { IP } from './opaque-types.ts';

/** IP addresses. */
export const ipLibrary: Library = {
  name: 'ip',
  since: 30,
  functions: [
    declare('family', member('ip_family', IP, [], INT)),
    declare('ip.isCanonical', plain('ip_is_canonical', [STRING], BOOL)),
    declare('ip', plain('string_to_ip', [STRING], IP)),
    declare('isGlobalUnicast', member('ip_is_global_unicast', IP, [], BOOL)),
    declare('isIP', plain('is_ip', [STRING], BOOL)),
    declare('isLinkLocalMulticast', member('ip_is_link_local_multicast', IP, [], BOOL)),
    declare('isLinkLocalUnicast', member('ip_is_link_local_unicast', IP, [], BOOL)),
    declare('isLoopback', member('ip_is_loopback', IP, [], BOOL)),
    declare('isUnspecified', member('ip_is_unspecified', IP, [], BOOL)),
    declare('string', plain('ip_to_string', [IP], STRING)),
  ],
};
