import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { flagReference } from '../../src/cli/flag-reference.ts';

it('the reference page matches the flag table (else: node scripts/generate-flag-reference.mjs)', () => {
  expect(readFileSync(new URL('../../docs/flags.md', import.meta.url), 'utf8')).toBe(flagReference());
});
