import { expect, it } from 'vitest';
import type { ExpressionChecker } from '../../../src/kinds/admissionregistration/expressions.ts';
import { deviceTaintRuleStrategy } from '../../../src/kinds/resource/device-taint-rule.ts';
import type { StrategyContext } from '../../../src/kinds/strategy.ts';
import { isAlive, type Life, type Minor } from '../../../src/model/life.ts';

const UNCHECKED: ExpressionChecker = { check: () => undefined };
const strategy = deviceTaintRuleStrategy(UNCHECKED);
const NOW = '2026-01-01T00:00:00Z';
const context = (minor: Minor) =>
  ({ has: (life: Life) => isAlive(life, minor), now: () => NOW }) as StrategyContext;
const rule = (taint: object, more: object = {}) => ({ spec: { taint, ...more } }) as never;
const TAINT = { key: 'k', effect: 'NoExecute' };

it.each([
  [{ taint: TAINT }, []],
  [{ taint: { ...TAINT, effect: 'Other' } }, ['spec.taint.effect']],
  [{ taint: { ...TAINT, key: 'a b' } }, ['spec.taint.key']],
  [
    { taint: TAINT, deviceSelector: { driver: 'A_', pool: 'x//y', device: 'D' } },
    ['spec.deviceSelector.driver', 'spec.deviceSelector.pool', 'spec.deviceSelector.device'],
  ],
])('validates %j', (spec, fields) =>
  expect(strategy.validate!({ spec } as never, context('1.37')).map(({ field }) => field)).toEqual(fields),
);

it('keeps an unknown effect since 1.35', () => {
  const object = rule({ ...TAINT, effect: 'Other' });
  expect(strategy.validateUpdate!(object, object, context('1.35'))).toEqual([]);
  expect(strategy.validateUpdate!(object, object, context('1.34'))).toHaveLength(1);
});

it('sets the time of a taint, since 1.36 again when its effect changes', () => {
  const before = '2025-01-01T00:00:00Z';
  const updated = (effect: string, minor: Minor): string => {
    const object = { spec: { taint: { ...TAINT, effect, timeAdded: before } } };
    strategy.prepareForUpdate!(object as never, rule({ ...TAINT, timeAdded: before }), context(minor));
    return object.spec.taint.timeAdded;
  };
  const created = { spec: { taint: { ...TAINT, timeAdded: undefined } } };
  strategy.prepareForCreate!(created as never, context('1.33'));
  expect(created.spec.taint.timeAdded).toBe(NOW);
  expect([
    updated('NoSchedule', '1.36'),
    updated('NoSchedule', '1.35'),
    updated('NoExecute', '1.36'),
  ]).toEqual([NOW, before, before]);
});
