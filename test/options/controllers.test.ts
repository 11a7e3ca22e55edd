import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTROLLER_MANAGER } from '../../src/options/flags/controller-manager.ts';
import { flagName, optionName } from '../../src/options/flags/flag.ts';
import { FLAGS, type FlagValues, type OptionName } from '../../src/options/flags/table.ts';
import { validateControllers } from '../../src/options/validation/controllers.ts';

const flagsOf = (program: string): string[] =>
  readFileSync(`test/fixtures/${program}-flags.txt`, 'utf8').trim().split('\n');

const initial = Object.fromEntries(
  (Object.keys(FLAGS) as OptionName[]).map((option) => [option, FLAGS[option].initial]),
) as unknown as FlagValues;

describe('the flags of controllers', () => {
  it("have kube-controller-manager's names", () => {
    const theirs = new Set(flagsOf('kube-controller-manager'));
    expect(Object.keys(CONTROLLER_MANAGER).filter((option) => !theirs.has(flagName(option)))).toEqual([]);
  });

  it.each([0, -1, 1001])('refuse %d workers', (value) =>
    expect(validateControllers({ ...initial, [optionName('concurrent-replicaset-syncs')]: value })).toEqual([
      `--concurrent-replicaset-syncs ${value} must be between 1 and 1000, inclusive`,
    ]),
  );

  it('accept the defaults', () => expect(validateControllers(initial)).toEqual([]));
});
