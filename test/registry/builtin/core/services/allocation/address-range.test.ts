import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressBandSize,
  parseAddressRange,
  portBandSize,
} from '../../../../../../src/registry/builtin/core/services/allocation/address-range.ts';
import { formatAddress, parseAddress } from '../../../../../../src/registry/validation/address-values.ts';

describe('parseAddress and formatAddress', () => {
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
  ])('formats %s as %s', (text, canonical) => expect(formatAddress(parseAddress(text)!)).toBe(canonical));

  it.each(['', 'x', '1.2.3', '1.2.3.256', '1.2.3.4.5', ':::', 'fe80::1%eth0', '1.2.3.4/8'])(
    'rejects %j',
    (text) => expect(parseAddress(text)).toBeUndefined(),
  );

  it('round-trips addresses', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        fc.pre(isIPv6(text));
        const address = parseAddress(text)!;
        expect(parseAddress(formatAddress(address))).toEqual(address);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(formatAddress(parseAddress(text)!)).toBe(text);
      }),
    );
  });
});

describe('parseAddressRange', () => {
  it('excludes the network and broadcast address of IPv4', () => {
    const range = parseAddressRange('10.0.0.77/30')!;
    expect([range.cidr, range.size, range.addressAt(0), range.addressAt(1)]).toEqual([
      '10.0.0.76/30',
      2,
      '10.0.0.77',
      '10.0.0.78',
    ]);
    expect(
      ['10.0.0.76', '10.0.0.77', '10.0.0.78', '10.0.0.79', '::1'].map((address) => range.offsetOf(address)),
    ).toEqual([undefined, 0, 1, undefined, undefined]);
  });

  it('starts with the address of the API service', () =>
    expect(parseAddressRange('10.96.0.0/16')!.addressAt(0)).toBe('10.96.0.1'));

  it('includes the last address of IPv6', () => {
    const range = parseAddressRange('fd00:96::/126')!;
    expect(range.size).toBe(3);
    expect(range.addressAt(2)).toBe('fd00:96::3');
  });

  it('limits the size of large ranges', () => expect(parseAddressRange('fd00::/8')!.size).toBe(1 << 20));
  it.each(['10.0.0.0/32', '10.0.0.0', 'x/8', '10.0.0.0/33'])('rejects %s', (text) =>
    expect(parseAddressRange(text)).toBeUndefined(),
  );

  it('reserves a lower band for explicit requests', () => {
    expect([10, 16, 254, 4094, 65_534].map(addressBandSize)).toEqual([0, 0, 16, 255, 256]);
    expect([16, 2768, 10_000].map(portBandSize)).toEqual([0, 86, 128]);
  });
});
