import { expect, it } from 'vitest';
import { addressWarnings, cidrWarnings } from '../../../src/kinds/validation/address-warnings.ts';

it('warns of addresses that Go rejects and of non-canonical IPv6', () => {
  expect(addressWarnings('192.0.2.1', 'ip')).toEqual([]);
  expect(addressWarnings('added', 'ip')[0]).toContain('unable to parse IP');
  expect(addressWarnings('2001:DB8::1', 'ip')[0]).toContain('"2001:db8::1"');
  expect(cidrWarnings('10.0.0.1/24', 'range')).toEqual([]);
  expect(cidrWarnings('2001:0db8::/64', 'range')[0]).toContain('"2001:db8::/64"');
});
