import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf } from '../run-strategy.ts';

const strategies = strategiesOf('autoscaling');

const strategy = strategies['horizontalpodautoscalers']!;
const { toStorage, fromStorage } = strategy.conversions!['v1']!;
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const v2 = contextOf({ version: 'v2' });
const wanted = (spec: object) => ({ spec: { scaleTargetRef, maxReplicas: 5, ...spec } });

const METRICS = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
  { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '10' } } },
  {
    type: 'Object',
    object: {
      metric: { name: 'o' },
      describedObject: { kind: 'Service', name: 's' },
      target: { type: 'Value', value: '2k' },
    },
  },
  {
    type: 'External',
    external: {
      metric: { name: 'e', selector: { matchLabels: { a: '<b>' } } },
      target: { type: 'Value', value: '30' },
    },
  },
  {
    type: 'ContainerResource',
    containerResource: {
      name: 'cpu',
      container: 'c',
      target: { type: 'Utilization', averageUtilization: 50 },
    },
  },
];
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

describe('conversion to autoscaling/v1', () => {
  const arbitrary = fc.record({
    metrics: fc.shuffledSubarray(METRICS, { minLength: 1 }),
    minReplicas: fc.integer({ min: 1, max: 9 }),
    behavior: fc.option(fc.record({ scaleDown: fc.record({ stabilizationWindowSeconds: fc.nat(3600) }) }), {
      nil: undefined,
    }),
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(arbitrary, (spec) => {
        const object = defaulted(strategy, wanted(spec), 'v2');
        const back = toStorage(fromStorage(structuredClone(object)));
        expect(JSON.parse(JSON.stringify(back.spec))).toEqual(JSON.parse(JSON.stringify(object.spec)));
        expect(back.metadata!.annotations).toBeUndefined();
      }),
    );
  });

  it('stores the CPU target in its field and everything else in annotations', () => {
    const object = defaulted(
      strategy,
      wanted({ metrics: [cpu(60), METRICS[1]], behavior: { scaleDown: { stabilizationWindowSeconds: 10 } } }),
      'v2',
    );
    const plain = fromStorage(object);
    expect((plain.spec as { targetCPUUtilizationPercentage: number }).targetCPUUtilizationPercentage).toBe(
      60,
    );
    expect(plain.metadata!.annotations).toEqual({
      [`${PREFIX}metrics`]: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"10"}}]',
      [`${PREFIX}behavior`]:
        '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}]},' +
        '"ScaleDown":{"StabilizationWindowSeconds":10,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}]}}',
    });
  });

  it.each(['x', '{}', '[1]', '[{"pods":{"metricName":1}}]', '['.repeat(100_000)])(
    'ignores an invalid annotation: %.20s',
    (text) => {
      const annotations = { [`${PREFIX}metrics`]: text, [`${PREFIX}behavior`]: text, other: 'kept' };
      const object = toStorage({
        metadata: { annotations },
        spec: { scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 33 },
      } as KubernetesObject);
      expect((object.spec as { metrics: unknown }).metrics).toEqual([cpu(33)]);
      expect(object.metadata!.annotations).toEqual({ other: 'kept' });
    },
  );
});

describe('horizontal pod autoscalers', () => {
  it('defaults to a CPU metric', () => {
    expect(defaulted(strategy, wanted({}), 'v2').spec).toMatchObject({ minReplicas: 1, metrics: [cpu(80)] });
    expect(defaulted(strategy, wanted({}), 'v1').spec).toMatchObject({ minReplicas: 1, metrics: [cpu(80)] });
  });

  it('drops the conversion annotations in v2', () => {
    const { object } = created(
      strategy,
      { metadata: { annotations: { [`${PREFIX}metrics`]: '[]' } }, ...wanted({}) },
      v2,
    );
    expect(object.metadata!.annotations).toBeUndefined();
  });

  it.each([
    [
      { maxReplicas: 0 },
      [
        'spec.maxReplicas: Invalid value: 0: must be greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [
      { minReplicas: 0 },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      { metrics: [{ type: 'Resource' }] },
      ['spec.metrics[0].resource: Required value: must populate information for the given metric source'],
    ],
    [
      { metrics: [{ ...METRICS[1], external: METRICS[3]!.external }] },
      ['spec.metrics[0].external: Forbidden: must populate the given metric source only'],
    ],
    [
      { behavior: { scaleUp: { policies: [] } } },
      ['spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'],
    ],
    [
      { behavior: { scaleDown: { stabilizationWindowSeconds: 3601, selectPolicy: 'Most' } } },
      [
        'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
        'spec.behavior.scaleDown.selectPolicy: Unsupported value: "Most": supported values: "Disabled", "Max", "Min"',
      ],
    ],
  ])('validates the spec %j', (spec, expected) =>
    expect(errorsOf(strategy, wanted(spec), v2)).toEqual(expected),
  );
});
