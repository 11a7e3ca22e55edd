import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/addresses/address.ts';
import { parseNetipAddress, parseNetipPrefix } from '../../src/addresses/netip.ts';

describe('Go address parsing', () => {
  it.each([
    '192.0.2.1',
    '0.0.0.0',
    '::',
    '::1',
    '1::',
    '2001:DB8::1',
    '1:2:3:4:5:6:7:8',
    '::ffff:10.0.0.1',
    '1:2:3:4:5:6:1.2.3.4',
    'fe80::1%eth0',
  ])('accepts %s', (text) => expect(parseNetipAddress(text)).not.toBeTypeOf('string'));

  it.each([
    ['', 'unable to parse IP'],
    ['added', 'unable to parse IP'],
    ['%eth0', 'missing IPv6 address'],
    ['010.0.0.1', 'IPv4 field has octet with leading zero'],
    ['256.1.1.1', 'IPv4 field has value >255'],
    [' 192.0.2.1', 'unexpected character (at " 192.0.2.1")'],
    ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
    ['1.2.3', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['1:2', 'address string too short'],
    ['1::2::3', 'multiple :: in address (at ":3")'],
    ['12345::', 'each group must have 4 or less digits (at "12345::")'],
    ['g::', 'each colon-separated field must have at least one digit (at "g::")'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['1:2:3:4:5:6:7::8', 'the :: must expand to at least one field of zeros'],
    ['::1%', 'zone must be a non-empty string'],
    ['1:', 'colon must be followed by more characters (at ":")'],
    ['1:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
  ])('rejects %j', (text, problem) =>
    expect(parseNetipAddress(text)).toBe(`ParseAddr(${JSON.stringify(text)}): ${problem}`),
  );

  it.each([
    ['10.0.0.0', "no '/'"],
    ['10.0.0.0/24x', 'bad bits after slash: "24x"'],
    ['10.0.0.0/024', 'bad bits after slash: "024"'],
    ['10.0.0.0/33', 'prefix length out of range'],
    ['10.0.0.0/9223372036854775807', 'prefix length out of range'],
    ['10.0.0.0/9223372036854775808', 'bad bits after slash: "9223372036854775808"'],
    ['fe80::%eth0/8', 'IPv6 zones cannot be present in a prefix'],
    ['x/8', 'ParseAddr("x"): unable to parse IP'],
  ])('rejects the prefix %j', (text, problem) =>
    expect(parseNetipPrefix(text)).toBe(`netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`),
  );

  it('returns the address, the zone and the prefix', () => {
    expect(parseNetipAddress('fe80::1%eth0')).toEqual({ address: parseAddress('fe80::1'), zone: 'eth0' });
    expect(parseNetipPrefix('10.0.0.9/8')).toEqual({
      address: parseAddress('10.0.0.9'),
      prefix: 8,
      hostBits: 24,
    });
  });

  it('quotes as the caller asks', () =>
    expect(parseNetipAddress('x', (text) => `<${text}>`)).toBe('ParseAddr(<x>): unable to parse IP'));
});
