import { isIP, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressBytes,
  addressFamily,
  canonicalIpv6,
  formatAddress,
  parseAddress,
  parseAddressSloppy,
} from '../../src/addresses/address.ts';

describe('parseAddress', () => {
  it('keeps IPv4-mapped addresses as IPv6', () => {
    expect(addressBytes(parseAddress('::ffff:1.2.3.4')!)).toEqual([
      ...new Array(10).fill(0),
      255,
      255,
      1,
      2,
      3,
      4,
    ]);
    expect(addressBytes(parseAddress('1.2.3.4')!)).toEqual([1, 2, 3, 4]);
    expect(formatAddress(parseAddress('0:0:0:0:0:FFFF:102:304')!)).toBe('::ffff:1.2.3.4');
  });

  it('rejects zones and leading zeros', () => {
    for (const text of ['fe80::1%eth0', '010.0.0.1', '']) expect(parseAddress(text), text).toBeUndefined();
  });

  it('agrees with node:net, except for zones', () => {
    const group = fc.oneof(
      fc.constantFrom('', '0', 'ffff', '1', '12345', 'g', '1.2.3.4', '01.2.3.4', '256.1.1.1'),
      fc.ipV4(),
    );
    const nearly = fc.array(group, { maxLength: 9 }).map((groups) => groups.join(':'));
    const any = fc.oneof(
      nearly,
      fc.ipV6(),
      fc.ipV4(),
      fc.string(),
      fc.constantFrom(
        '::',
        '::1',
        '1::',
        ':::',
        '1::2::3',
        '1:2:3:4:5:6:7::',
        '1:2:3:4:5:6:7:8::',
        '::1.2.3.4',
        '1.2.3',
      ),
    );
    fc.assert(
      fc.property(
        any.filter((text) => !text.includes('%')),
        (text) => void expect([text, addressFamily(text)]).toEqual([text, isIP(text)]),
      ),
      { numRuns: 2000 },
    );
  });
});

describe('parseAddressSloppy and formatAddress', () => {
  it.each([
    ['10.96.0.1', '10.96.0.1'],
    ['010.001.1.1', '10.1.1.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['fd00:96:0:0:0:0:0:201', 'fd00:96::201'],
    ['2001:DB8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:2:3:4:5:6:7:0', '1:2:3:4:5:6:7:0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ])('formats %s as %s', (text, canonical) =>
    expect(formatAddress(parseAddressSloppy(text)!)).toBe(canonical),
  );

  it.each(['', 'x', '1.2.3', '1.2.3.256', '1.2.3.4.5', ':::', 'fe80::1%eth0', '1.2.3.4/8'])(
    'rejects %j',
    (text) => expect(parseAddressSloppy(text)).toBeUndefined(),
  );

  it('round-trips addresses', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        fc.pre(isIPv6(text));
        const address = parseAddressSloppy(text)!;
        expect(parseAddressSloppy(formatAddress(address))).toEqual(address);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(formatAddress(parseAddressSloppy(text)!)).toBe(text);
      }),
    );
  });
});

describe('canonicalIpv6', () => {
  it.each([
    ['2001:DB8::1', '2001:db8::1'],
    ['::FFFF:1.2.3.4', '::ffff:1.2.3.4'],
    ['::ffff:102:304', '::ffff:1.2.3.4'],
    ['1.2.3.4', '1.2.3.4'],
    ['FE80::1%eth0', 'FE80::1%eth0'],
    ['X', 'X'],
  ])('formats %s as %s', (text, canonical) => expect(canonicalIpv6(text)).toBe(canonical));
});
