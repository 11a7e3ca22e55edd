import { describe, expect, it } from 'vitest';
import {
  addressBandSize,
  parseAllocationRange,
  portBandSize,
} from '../../src/allocation/allocation-range.ts';

describe('parseAllocationRange', () => {
  it('excludes the network and broadcast address of IPv4', () => {
    const range = parseAllocationRange('10.0.0.77/30')!;
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
    expect(parseAllocationRange('10.96.0.0/16')!.addressAt(0)).toBe('10.96.0.1'));

  it('includes the last address of IPv6', () => {
    const range = parseAllocationRange('fd00:96::/126')!;
    expect(range.size).toBe(3);
    expect(range.addressAt(2)).toBe('fd00:96::3');
  });

  it('limits the size of IPv6 ranges', () => {
    expect(parseAllocationRange('fd00::/64')!.size).toBe(65_535);
    expect(parseAllocationRange('fd00::/64', false)!.size).toBe(2 ** 52 - 1);
  });

  it.each(['10.0.0.0/32', '10.0.0.0', 'x/8', '10.0.0.0/33'])('rejects %s', (text) =>
    expect(parseAllocationRange(text)).toBeUndefined(),
  );

  it('reserves a lower band for explicit requests', () => {
    expect([10, 16, 254, 4094, 65_534].map(addressBandSize)).toEqual([0, 0, 16, 255, 256]);
    expect([16, 2768, 10_000].map(portBandSize)).toEqual([0, 86, 128]);
  });
});
