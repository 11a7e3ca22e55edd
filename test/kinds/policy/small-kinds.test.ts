import { describe, expect, it } from 'vitest';
import { bootstrapPriorityClasses } from '../../../src/kinds/scheduling/bootstrap-classes.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { ApiError } from '../../../src/status/api-error.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const apiregistration = strategiesOf('apiregistration.k8s.io');
const node = strategiesOf('node.k8s.io');
const policy = strategiesOf('policy');
const resource = strategiesOf('resource.k8s.io');
const scheduling = strategiesOf('scheduling.k8s.io');

describe('disruption budgets', () => {
  const strategy = policy['poddisruptionbudgets']!;

  it.each([
    [{ minAvailable: -1 }, 'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0'],
    [
      { maxUnavailable: '101%' },
      'spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
    ],
    [
      { unhealthyPodEvictionPolicy: 'Never' },
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
    ],
  ])('rejects the spec %j', (spec, expected) => expect(errorsOf(strategy, { spec })).toEqual([expected]));

  it('rejects a budget with both bounds', () => {
    expect(errorsOf(strategy, { spec: { minAvailable: 1, maxUnavailable: '50%' } })).toEqual([
      expect.stringMatching(
        /^spec: Invalid value: policy\.PodDisruptionBudgetSpec\{MinAvailable:.*\}: minAvailable and maxUnavailable cannot be both set$/,
      ),
    ]);
  });

  it('requires time and reason of conditions', () => {
    const { object } = created(strategy, {});
    const conditions = [
      { type: 'A', status: 'Maybe' },
      { type: 'A', status: 'True', reason: 'no good', lastTransitionTime: '2020-01-01T00:00:00Z' },
    ];
    const { errors } = updated(
      strategy,
      { status: { conditions } },
      object,
      contextOf({ subresource: 'status' }),
    );
    expect(errors.map((text) => text.split(': ').slice(0, 2).join(': '))).toEqual([
      'status.conditions[0].status: Unsupported value',
      'status.conditions[0].lastTransitionTime: Required value',
      'status.conditions[0].reason: Required value',
      'status.conditions[1].type: Duplicate value',
      'status.conditions[1].reason: Invalid value',
    ]);
  });
});

describe('priority classes', () => {
  const strategy = scheduling['priorityclasses']!;
  const context = contextOf({ group: 'scheduling.k8s.io', resource: 'priorityclasses' });

  it('reserves the names of system classes', () => {
    for (const object of bootstrapPriorityClasses()) expect(errorsOf(strategy, object)).toEqual([]);
    const [first] = bootstrapPriorityClasses();
    expect(errorsOf(strategy, { ...first, value: 1 })[0]).toMatch(
      /error: value of system-cluster-critical PriorityClass must be 2000000000$/,
    );
    expect(errorsOf(strategy, { metadata: { name: 'system-mine' }, value: 1 })[0]).toMatch(
      /error: system-mine is not a known system priority class$/,
    );
    expect(errorsOf(strategy, { value: 1_000_000_001 })).toEqual([
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ]);
  });

  it('rejects the deletion of system classes', () => {
    const [first] = bootstrapPriorityClasses();
    expect(() => strategy.deletion!.byName!.check!(first!, context)).toThrow(ApiError);
    expect(() => strategy.deletion!.byName!.check!({ metadata: { name: 'mine' } }, context)).not.toThrow();
  });
});

it('accepts any path segment as the name of a disruption budget', () => {
  const { validateName, allowsUnqualifiedFinalizers } = policy['poddisruptionbudgets']!.metadata!;
  expect([
    validateName!('UPPER_case', false),
    validateName!('a/b', false).length,
    allowsUnqualifiedFinalizers,
  ]).toEqual([[], 1, true]);
});

describe('API services', () => {
  const strategy = apiregistration['apiservices']!;
  const spec = { group: 'example.test', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };
  const object = (change: object = {}) => ({
    metadata: { name: 'v1.example.test' },
    spec: { ...spec, ...change },
  });

  it('requires the name <version>.<group>', () => {
    const textsOf = (name: string) =>
      strategy.metadata!.validateName!(name, false, object() as KubernetesObject);
    expect(textsOf('v1.example.test')).toEqual([]);
    expect(textsOf('v2.example.test')).toEqual(['must be `spec.version+"."+spec.group`: "v1.example.test"']);
    expect(textsOf('a/b')).toEqual(["may not contain '/'"]);
  });

  it('marks local APIServices as available', () => {
    expect(created(strategy, object()).object.status).toMatchObject({
      conditions: [{ type: 'Available', status: 'True', reason: 'Local' }],
    });
    const remote = created(strategy, object({ service: { namespace: 'n', name: 's' } })).object;
    expect(remote.status).toBeUndefined();
    expect(remote.spec).toMatchObject({ service: { port: 443 } });
  });

  it.each([
    [
      { groupPriorityMinimum: 0 },
      'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
    ],
    [
      { insecureSkipTLSVerify: true },
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ],
    [
      { service: { namespace: 'n', name: 's', port: 70000 } },
      'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
    ],
  ])('rejects %j', (change, expected) => expect(errorsOf(strategy, object(change))).toEqual([expected]));
});

it('rejects a changed handler of a runtime class', () => {
  const strategy = node['runtimeclasses']!;
  const { object } = created(strategy, { handler: 'h' });
  expect(updated(strategy, { handler: 'h', overhead: { podFixed: { cpu: '1' } } }, object).errors).toEqual(
    [],
  );
  expect(updated(strategy, { handler: 'other' }, object).errors).toEqual([
    'handler: Invalid value: "other": field is immutable',
  ]);
});

it('converts capacities of resource slices to v1alpha3', () => {
  const strategy = resource['resourceslices']!;
  const slice = (memory: unknown) => ({
    metadata: { name: 'x', namespace: 'n' },
    spec: { devices: [{ name: 'd', basic: { capacity: { memory } } }, { name: 'e' }] },
  });
  const stored = defaulted(strategy, slice('1Gi'), 'v1alpha3');
  expect(stored).toEqual(slice({ value: '1Gi' }));
  expect(strategy.conversions!['v1alpha3']!.fromStorage(stored)).toEqual(slice('1Gi'));
});
