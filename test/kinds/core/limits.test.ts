import { describe, expect, it } from 'vitest';
import { limitRangeStrategy } from '../../../src/kinds/core/limit-range.ts';
import { resourceQuotaStrategy } from '../../../src/kinds/core/resource-quota.ts';
import { created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const quantity = (value: number, text: string): string =>
  `resource.Quantity{i:resource.int64Amount{value:${value}, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${text}", Format:"DecimalSI"}`;

describe('limit range strategy', () => {
  const limits = (...list: object[]): object => ({ spec: { limits: list } });

  it('defaults container limits', () => {
    const item = defaulted(
      limitRangeStrategy,
      limits({ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' } }),
    ).spec as { limits: object[] };
    expect(item.limits[0]).toMatchObject({
      default: { cpu: '2' },
      defaultRequest: { cpu: '2', memory: '1Mi' },
    });
    expect(defaulted(limitRangeStrategy, limits({ type: 'Pod', max: { cpu: '2' } })).spec).toEqual({
      limits: [{ type: 'Pod', max: { cpu: '2' } }],
    });
  });

  it.each([
    [
      'a default for pods',
      [{ type: 'Pod', default: { cpu: '1' } }],
      ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
    ],
    ['a duplicate type', [{ type: 'Pod' }, { type: 'Pod' }], ['spec.limits[1].type: Duplicate value: "Pod"']],
    [
      'an unknown type',
      [{ type: 'Other' }],
      ['spec.limits[0].type: Invalid value: "Other": must be a standard limit type or fully qualified'],
    ],
    [
      'a claim without storage',
      [{ type: 'PersistentVolumeClaim', max: { cpu: '1' } }],
      [
        'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
      ],
    ],
    [
      'a default above max',
      [{ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } }],
      [
        `spec.limits[0].defaultRequest[cpu]: Invalid value: ${quantity(2, '2')}: default request value 2 is greater than max value 1`,
        `spec.limits[0].default[cpu]: Invalid value: ${quantity(1, '1')}: default value 2 is greater than max value 1`,
      ],
    ],
    [
      'a ratio above max/min',
      [{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }],
      [
        `spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: ${quantity(3, '3')}: ratio 3 is greater than max/min = 2.000000`,
      ],
    ],
    [
      'an unknown resource',
      [{ type: 'Container', max: { other: '1' } }],
      ['max', 'default', 'defaultRequest'].flatMap((member) => [
        `spec.limits[0].${member}[other]: Invalid value: other: must be a standard resource type or fully qualified`,
        `spec.limits[0].${member}[other]: Invalid value: other: must be a standard resource for containers`,
      ]),
    ],
  ])('validates %s', (_case, list, expected) =>
    expect(errorsOf(limitRangeStrategy, limits(...list))).toEqual(expected),
  );
});

describe('resource quota strategy', () => {
  it.each([
    [
      'valid amounts',
      {
        hard: {
          pods: '10',
          'requests.cpu': '1',
          'count/widgets.example.test': '5',
          'requests.hugepages-2Mi': '1Gi',
        },
      },
      [],
    ],
    [
      'a negative amount',
      { hard: { pods: '-1' } },
      ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      'a fractional number of pods',
      { hard: { pods: '1500m' } },
      [
        'spec.hard[pods]: Invalid value: resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}: must be an integer',
      ],
    ],
    [
      'an unknown resource',
      { hard: { other: '1' } },
      [
        'spec.hard[other]: Invalid value: other: must be a standard resource type or fully qualified',
        'spec.hard[other]: Invalid value: other: must be a standard resource for quota',
      ],
    ],
    [
      'conflicting scopes',
      { scopes: ['BestEffort', 'NotBestEffort'] },
      [
        'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}: conflicting scopes',
      ],
    ],
    [
      'an unknown scope',
      { scopes: ['Other'] },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"Other"}: unsupported scope'],
    ],
    [
      'a scope that does not apply to a resource',
      { hard: { services: '1' }, scopes: ['BestEffort'] },
      [
        'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort"}: unsupported scope applied to resource',
      ],
    ],
    [
      'a scope selector that does not apply to a resource',
      {
        hard: { services: '1' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
      [
        'spec.scopeSelector.matchExpressions: Invalid value: core.ScopeSelector{MatchExpressions:[]core.ScopedResourceSelectorRequirement{core.ScopedResourceSelectorRequirement{ScopeName:"PriorityClass", Operator:"In", Values:[]string{"high"}}}}: unsupported scope applied to resource',
      ],
    ],
    [
      'a scope selector without operator',
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass' }] } },
      ['spec.scopeSelector.matchExpressions.operator: Invalid value: "": not a valid selector operator'],
    ],
    [
      'a valid scope selector',
      {
        hard: { pods: '1' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
      [],
    ],
  ])('validates %s', (_case, spec, expected) =>
    expect(errorsOf(resourceQuotaStrategy, { spec })).toEqual(expected),
  );

  it('rejects a change of scopes but not of their order', () => {
    const { object: old } = created(resourceQuotaStrategy, {
      spec: { scopes: ['Terminating', 'NotBestEffort'] },
    });
    expect(
      updated(resourceQuotaStrategy, { spec: { scopes: ['NotBestEffort', 'Terminating'] } }, old).errors,
    ).toEqual([]);
    expect(updated(resourceQuotaStrategy, { spec: {} }, old).errors).toEqual([
      'spec.scopes: Invalid value: []core.ResourceQuotaScope(nil): field is immutable',
    ]);
  });
});
