import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTROLLER_MANAGER } from '../../src/options/flags/controller-manager.ts';
import { flagName, optionName } from '../../src/options/flags/flag.ts';
import { SERVICE_CONTROLLERS } from '../../src/options/flags/service-controllers.ts';
import { FLAGS, type FlagValues, type OptionName } from '../../src/options/flags/table.ts';
import { validateControllers } from '../../src/options/validation/controllers.ts';
import { validateServiceControllers } from '../../src/options/validation/service-controllers.ts';

const flagsOf = (program: string): string[] =>
  readFileSync(`test/fixtures/${program}-flags.txt`, 'utf8').trim().split('\n');

const initial = Object.fromEntries(
  (Object.keys(FLAGS) as OptionName[]).map((option) => [option, FLAGS[option].initial]),
) as unknown as FlagValues;

describe('the flags of controllers', () => {
  it("have kube-controller-manager's names", () => {
    const theirs = new Set(flagsOf('kube-controller-manager'));
    const ours = Object.keys({ ...CONTROLLER_MANAGER, ...SERVICE_CONTROLLERS });
    expect(ours.filter((option) => !theirs.has(flagName(option)))).toEqual([]);
  });

  it.each([0, -1, 1001])('refuse %d workers', (value) =>
    expect(validateControllers({ ...initial, [optionName('concurrent-replicaset-syncs')]: value })).toEqual([
      `--concurrent-replicaset-syncs ${value} must be between 1 and 1000, inclusive`,
    ]),
  );

  it('refuse a period without which claims would be looked at all the time', () =>
    expect(validateControllers({ ...initial, pvclaimbinderSyncPeriod: 0 })).toEqual([
      '--pvclaimbinder-sync-period must be at least 100ms',
    ]));

  it.each([
    ['concurrentServiceEndpointSyncs', 51, 50],
    ['maxEndpointsPerSlice', 0, 1000],
    ['mirroringMaxEndpointsPerSubset', 1001, 1000],
  ])('refuse --%s of %d', (option, value, highest) =>
    expect(validateServiceControllers({ ...initial, [option]: value })).toEqual([
      `--${flagName(option)} ${value} must be between 1 and ${highest}, inclusive`,
    ]),
  );

  it('refuse a negative period', () =>
    expect(validateServiceControllers({ ...initial, endpointUpdatesBatchPeriod: -1 })).toEqual([
      '--endpoint-updates-batch-period must not be negative',
    ]));

  it('accept the defaults', () =>
    expect([...validateControllers(initial), ...validateServiceControllers(initial)]).toEqual([]));
});
