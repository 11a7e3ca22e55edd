import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILTERS } from '../../src/filters/chain.ts';

const repository = new URL('../../', import.meta.url);

describe('the filter chain', () => {
  it.each(FILTERS.flatMap(({ files }) => files))('names an existing file: %s', (file) => {
    expect(existsSync(new URL(`src/${file}`, repository))).toBe(true);
  });

  it('authenticates before it impersonates, and authorizes last', () => {
    const names = FILTERS.map(({ name }) => name);
    expect(
      names.filter((name) => ['authentication', 'impersonation', 'authorization'].includes(name)),
    ).toEqual(['authentication', 'impersonation', 'authorization']);
    // Faults happen to requests that would succeed.
    expect(names.slice(-2)).toEqual(['authorization', 'faults']);
  });
});
