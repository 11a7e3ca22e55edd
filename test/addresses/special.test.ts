import { expect, it } from 'vitest';
import { parseAddress } from '../../src/addresses/address.ts';
import * as special from '../../src/addresses/special.ts';

it.each([
  ['0.0.0.0', ['isUnspecified']],
  ['::', ['isUnspecified']],
  ['127.3.2.1', ['isLoopback']],
  ['::1', ['isLoopback']],
  ['169.254.1.1', ['isLinkLocalUnicast']],
  ['fe80::1', ['isLinkLocalUnicast']],
  ['224.0.0.5', ['isLinkLocalMulticast', 'isMulticast']],
  ['ff12::5', ['isLinkLocalMulticast', 'isMulticast']],
  ['224.0.1.5', ['isMulticast']],
  ['255.255.255.255', []],
  ['10.0.0.1', ['isGlobalUnicast']],
  ['fd00::1', ['isGlobalUnicast']],
])('classifies %s', (text, expected) => {
  const address = parseAddress(text)!;
  const found = Object.entries(special).filter(([, covers]) => covers(address));
  expect(found.map(([name]) => name).sort()).toEqual(expected);
});
