import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { equalFunctions } from './equal-functions.ts';

/** Functions of fewer tokens may stand twice: one line of code. */
const LEAST_TOKENS = 30;

/** Equal functions that are not one thing. */
const REASONS: Readonly<Record<string, string>> = {
  'connection/in-process.ts drained': 'a method on private members of two implementations of an interface',
  'kinds/core/pods/pod-update-validation.ts identity': 'the members of a toleration, and those of a consumer',
};

it('no function of src stands twice', () => {
  const pairs = equalFunctions(resolve('src'), LEAST_TOKENS);
  expect(pairs.filter(([first]) => REASONS[first!] === undefined)).toEqual([]);
  expect(Object.keys(REASONS).filter((place) => !pairs.some(([first]) => first === place))).toEqual([]);
}, 60_000);

it('names and types of a function do not matter', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-equal-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(
    join(directory, 'a.ts'),
    'export const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);',
  );
  writeFileSync(
    join(directory, 'b.ts'),
    'function total(x: bigint[]) { return x.length; }\nconst add = (values: string[]): unknown => values.reduce((one, two) => one + two, 0);',
  );
  expect(equalFunctions(directory, 5)).toEqual([['a.ts sum', 'b.ts add']]);
  expect(equalFunctions(directory, 100)).toEqual([]);
});
