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
  it('reject stray quotes', () => expect(() => splitList('a"b')).toThrow('bare'));
});

describe('aggregated messages', () => {
  it('are a single message, or distinct ones in brackets', () => {
    expect(aggregate(['a', 'a'])).toBe('a');
    expect(aggregate(['a', 'b', 'a'])).toBe('[a, b]');
  });
});
