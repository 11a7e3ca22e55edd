import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../../src/errors/aggregate.ts';
import { splitList } from '../../src/options/flags/forms.ts';

describe('lists', () => {
  it('keep quoted fields', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1 }),
        (fields) =>
          void expect(splitList(fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(','))).toEqual(
            fields,
          ),
      ),
    );
  });
  it('keep empty fields', () => expect(splitList('a,,b,')).toEqual(['a', '', 'b', '']));
  it.each([
    ['é,a"b', 'parse error on line 1, column 5: bare " in non-quoted field'],
    ['a,"b', 'parse error on line 1, column 5: extraneous or missing " in quoted-field'],
    ['"a"b', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
  ])('reject stray quotes: %s', (text, error) => expect(() => splitList(text)).toThrow(error));
});

describe('aggregated messages', () => {
  it('are a single message, or distinct ones in brackets', () => {
    expect(aggregate(['a', 'a'])).toBe('a');
    expect(aggregate(['a', 'b', 'a'])).toBe('[a, b]');
  });
});
