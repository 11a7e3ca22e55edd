import { expect, it } from 'vitest';
import {
  earlierAddressWarnings,
  earlierRangeWarnings,
} from '../../../../src/kinds/core/services/earlier-address-warnings.ts';

it('warns of addresses that Go rejects and of non-canonical IPv6', () => {
  expect(earlierAddressWarnings('192.0.2.1', 'ip')).toEqual([]);
  expect(earlierAddressWarnings('added', 'ip')[0]).toContain('unable to parse IP');
  expect(earlierAddressWarnings('2001:DB8::1', 'ip')[0]).toContain('"2001:db8::1"');
  expect(earlierRangeWarnings('10.0.0.1/24', 'range')).toEqual([]);
  expect(earlierRangeWarnings('2001:0db8::/64', 'range')[0]).toContain('"2001:db8::/64"');
});
