import { describe, expect, it } from 'vitest';
import { errors } from '../../src/status/errors.ts';
import {
  duplicate,
  invalid,
  notFound,
  notSupported,
  required,
  withoutRepeatedErrors,
} from '../../src/status/field-error.ts';

describe('field errors with a long value', () => {
  const shown = { times: 0 };
  const long = () => ({
    toJSON: () => {
      shown.times++;
      return 'x'.repeat(2 << 20);
    },
  });

  it.each([
    invalid('a', long(), 'wrong'),
    notSupported('a', long(), ['b']),
    duplicate('a', long()),
    notFound('a', long()),
  ])('$type formats its value on demand, once', (error) => {
    shown.times = 0;
    const first = error.body;
    expect(first).toContain('xxx');
    expect(error.body).toBe(first);
    expect(shown.times).toBe(1);
  });

  it('formats only the reported errors of a long list', () => {
    shown.times = 0;
    const value = long();
    const list = Array.from({ length: 100_000 }, () => invalid('a', value, 'wrong'));
    expect(shown.times).toBe(0);
    errors.invalid({ group: '', kind: 'Pod' }, 'p', list);
    expect(shown.times).toBeLessThan(5);
    expect(list[0]!.body.length).toBeLessThan(20_000);
  });

  it('cuts a long path', () => {
    const { field, body } = invalid(`data[${'k'.repeat(100_000)}]`, 'y', 'wrong');
    expect(field.length).toBeLessThan(20_000);
    expect(body).toBe('Invalid value: "y": wrong');
  });

  it('has the same form as an error with a short value', () => {
    const text = 'y'.repeat(1000);
    expect(invalid('a', text, 'wrong')).toEqual({
      type: 'FieldValueInvalid',
      field: 'a',
      body: `Invalid value: "${text}": wrong`,
    });
    expect(invalid('a', 'y', 'wrong')).toEqual({
      type: 'FieldValueInvalid',
      field: 'a',
      body: 'Invalid value: "y": wrong',
    });
  });
});

it('drops errors that equal an earlier one', () => {
  const [first, other] = [invalid('a', 'x', 'text'), invalid('a', 'y', 'text')];
  const list = [first, required('a'), other, invalid('a', 'x', 'text'), invalid('b', 'x', 'text')];
  expect(withoutRepeatedErrors(list)).toEqual([first, list[1], other, list[4]]);
});
