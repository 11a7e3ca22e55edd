import { describe, expect, it } from 'vitest';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { created, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('coordination.k8s.io');

describe('leases', () => {
  const strategy = strategies.leases!;
  it.each([
    [{}, []],
    [
      { leaseDurationSeconds: 0, leaseTransitions: -1 },
      [
        'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
  ])('validates the spec %j', (spec, expected) => expect(errorsOf(strategy, { spec })).toEqual(expected));

  it('drops the fields of coordinated leader election unless they are stored', () => {
    const spec = { strategy: 'OldestEmulationVersion', preferredHolder: 'h' };
    expect(created(strategy, { spec }).object.spec).toEqual({});
    expect(updated(strategy, { spec }, { spec }).object.spec).toEqual(spec);
  });
});

describe('lease candidates', () => {
  const strategy = strategies.leasecandidates!;
  const candidate = {
    leaseName: 'l',
    binaryVersion: '1.32.1',
    emulationVersion: '1.31.0',
    strategy: 'OldestEmulationVersion',
  };
  it.each([
    [{}, []],
    [
      { binaryVersion: '1.30.9' },
      ['spec.binaryVersion: Invalid value: "1.30.9": must be greater than or equal to `emulationVersion`'],
    ],
    [
      { binaryVersion: 'x' },
      [
        'spec.binaryVersion: Invalid value: "x": must be a valid semantic version',
        'spec.binaryVersion: Invalid value: "x": must be greater than or equal to `emulationVersion`',
      ],
    ],
    [
      { emulationVersion: '1.31' },
      [
        'spec.emulationVersion: Invalid value: "1.31": must be a valid semantic version',
        "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
      ],
    ],
    [{ leaseName: '', strategy: '' }, ['spec.leaseName: Required value', 'spec.strategy: Required value']],
    [{ leaseName: 'Any Name' }, []],
    [{ strategy: 'a.test/S' }, []],
    [{ strategy: '/x' }, ['spec.strategy.strategy: Invalid value: "/x": prefix part must be non-empty']],
  ])('validates %j', (change, expected) =>
    expect(errorsOf(strategy, { spec: { ...candidate, ...change } })).toEqual(expected),
  );
});
