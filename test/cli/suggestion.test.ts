import { describe, expect, it } from 'vitest';
import { closest } from '../../src/cli/suggestion.ts';

describe('closest', () => {
  const NAMES = ['secure-port', 'service-node-port-range', 'backup', 'back', 'v'];

  it.each([
    ['secure-prot', 'secure-port'],
    ['secureport', 'secure-port'],
    ['bakcup', 'backup'],
    ['bak', 'back'],
    ['service-node-port-rang', 'service-node-port-range'],
  ])('finds for %s the name %s', (word, name) => {
    expect(closest(word, NAMES)).toBe(name);
  });

  it.each(['', 'x', 'restore', '__proto__', 'secure'])('finds nothing near %j', (word) => {
    expect(closest(word, NAMES)).toBeUndefined();
  });

  it('compares no word of more than 64 letters', () => {
    const name = 'a'.repeat(65);
    expect(closest(name, [name])).toBeUndefined();
    expect(closest(name.slice(1), [name])).toBe(name);
  });
});
