import { expect, it } from 'vitest';
import { addressOfUrl, withoutBrackets } from '../../src/addresses/url-address.ts';

it.each([
  ['https://a.test/path', { host: 'a.test', port: 443 }],
  ['http://a.test', { host: 'a.test', port: 80 }],
  ['http://127.0.0.1:2379', { host: '127.0.0.1', port: 2379 }],
  ['https://[::1]:6443/', { host: '::1', port: 6443 }],
  ['https://[2001:db8::1]', { host: '2001:db8::1', port: 443 }],
])('the address of %s', (url, address) => {
  expect(addressOfUrl(new URL(url))).toEqual(address);
});

it('takes brackets from both ends only', () => {
  expect(['[::1]', '::1', 'a.test'].map(withoutBrackets)).toEqual(['::1', '::1', 'a.test']);
});
