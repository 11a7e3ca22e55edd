import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { simplePattern } from '../../../src/schema/structural/simple-pattern.ts';

const atom = fc.constantFrom(
  'a',
  'Z',
  '0',
  '-',
  '/',
  '\\.',
  '\\d',
  '[a-z]',
  '[-a-z0-9]',
  '[a-c_-]',
  '[0-9.]',
  '\\$',
);
const quantifier = fc.constantFrom(
  '',
  '',
  '?',
  '*',
  '+',
  '{2}',
  '{1,3}',
  '{0,2}',
  '{2,}',
  '{3,1}',
  '??',
  '{,2}',
);
const pattern = fc
  .array(
    fc.tuple(atom, quantifier).map((parts) => parts.join('')),
    { maxLength: 5 },
  )
  .map((parts) => `^${parts.join('')}$`);
const text = fc.oneof(
  fc.array(fc.constantFrom('a', 'b', 'z', 'Z', '0', '9', '-', '/', '.', '_', '$', '\n', 'é', '😀'), {
    maxLength: 8,
  }),
  fc.constantFrom(['a', 'a', '\n'], []),
);

describe('simplePattern', () => {
  it('matches the same texts as RE2', () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 20, maxLength: 20 }), (source, texts) => {
        const native = simplePattern(source);
        if (native === undefined) return;
        const reference = RE2JS.compile(source);
        for (const parts of texts) expect(native.test(parts.join(''))).toBe(reference.test(parts.join('')));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['^[a-z]+$', '^v\\d{1,4}$', '^[a-z0-9]{1,63}$', '^https://[a-z.]*$'])('knows %s', (source) =>
    expect(simplePattern(source)).toBeInstanceOf(RegExp),
  );

  it.each([
    'a',
    '^a',
    '^a*a*$',
    '^(a+)+$',
    '^.$',
    '^[^a]$',
    '^\\w$',
    '^a\\$',
    '^[[:alpha:]]$',
    '^(?i)a$',
    '^a{1001}$',
  ])('leaves %s to RE2', (source) => expect(simplePattern(source)).toBeUndefined());

  it('takes linear time', () => {
    const native = simplePattern('^[a-z]*[a-z]{200}$')!;
    expect(native.test(`${'a'.repeat(1_000_000)}!`)).toBe(false);
  });
});
