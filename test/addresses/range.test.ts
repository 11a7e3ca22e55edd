import { describe, expect, it } from 'vitest';
import { parseAddress, parseAddressSloppy } from '../../src/addresses/address.ts';
import {
  addressAt,
  containsAddress,
  containsRange,
  formatRange,
  parseRange,
} from '../../src/addresses/range.ts';

const range = (text: string) => parseRange(text)!;

describe('parseRange', () => {
  it('keeps the address as written', () => {
    expect(range('10.0.0.9/8')).toEqual({ address: parseAddress('10.0.0.9'), prefix: 8, hostBits: 24 });
    expect(range('::ffff:10.0.0.0/120').hostBits).toBe(8);
    expect(parseRange('010.0.0.0/08')).toBeUndefined();
    expect(formatRange(parseRange('010.0.0.9/08', parseAddressSloppy)!)).toBe('10.0.0.0/8');
  });

  it.each([
    'nonsense',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    '/8',
    '10.0.0.0/-1',
    '10.0.0.0/',
  ])('rejects %s', (text) => expect(parseRange(text)).toBeUndefined());
});

describe('addresses of a range', () => {
  it('are counted from the first one', () => {
    expect(addressAt(range('10.96.0.0/16'), 1)).toBe('10.96.0.1');
    expect(addressAt(range('10.96.255.255/16'), 257)).toBe('10.96.1.1');
    expect(addressAt(range('fd00:96::/108'), 10)).toBe('fd00:96::a');
  });

  it.each([
    ['10.1.2.3/8', '10.255.255.255', true],
    ['10.1.2.3/8', '11.0.0.0', false],
    ['0.0.0.0/0', '255.1.1.1', true],
    ['0.0.0.0/0', '::1', false],
    ['fd00::/8', 'fdff::1', true],
  ])('%s contains %s: %s', (outer, address, expected) =>
    expect(containsAddress(range(outer), parseAddress(address)!)).toBe(expected),
  );

  it.each([
    ['10.0.0.0/8', '10.2.0.0/16', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.2.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.0/8', '11.0.0.0/16', false],
  ])('%s contains %s: %s', (outer, inner, expected) =>
    expect(containsRange(range(outer), range(inner))).toBe(expected),
  );
});
