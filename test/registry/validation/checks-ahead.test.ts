import { describe, expect, test } from 'vitest';
import { AsyncChecks, type Question } from '../../../src/registry/validation/checks-ahead.ts';

function question(subject: string, size: number, asked: string[]): Question<string> {
  return {
    subject,
    size,
    *answer() {
      asked.push(subject);
      yield size;
      return `ahead ${subject}`;
    },
  };
}

const late = (subject: string) => () => `late ${subject}`;

describe('checks ahead of a validation', () => {
  test('give their answers in order, as often as the validation runs', async () => {
    const ahead = new AsyncChecks<string>();
    const object = {};
    await ahead.answer(object, [question('a', 20_000, []), question('b', 20_000, [])]);
    const answer = ahead.answers(object);
    expect([answer('a', late('a')), answer('b', late('b')), answer('c', late('c'))]).toEqual([
      'ahead a',
      'ahead b',
      'late c',
    ]);
    expect(ahead.answers(object)('a', late('a'))).toBe('ahead a');
  });

  test('are not given to a question that is another', async () => {
    const ahead = new AsyncChecks<string>();
    const object = {};
    await ahead.answer(object, [question('a', 20_000, []), question('b', 20_000, [])]);
    const answer = ahead.answers(object);
    expect([answer('other', late('other')), answer('b', late('b'))]).toEqual(['late other', 'ahead b']);
  });

  test('leave what is small to the validation', async () => {
    const asked: string[] = [];
    const ahead = new AsyncChecks<string>();
    const object = {};
    await ahead.answer(object, [question('a', 10, asked)]);
    expect(asked).toEqual([]);
    expect(ahead.answers(object)('a', late('a'))).toBe('late a');
  });

  test('let others have the loop between their parts', async () => {
    const asked: string[] = [];
    const ahead = new AsyncChecks<string>();
    const seen: number[] = [];
    const watch = (): void => {
      seen.push(asked.length);
      if (asked.length < 4) setImmediate(watch);
    };
    setImmediate(watch);
    await ahead.answer(
      {},
      ['a', 'b', 'c', 'd'].map((subject) => question(subject, 20_000, asked)),
    );
    expect(new Set(seen).size).toBeGreaterThan(2);
  });
});
