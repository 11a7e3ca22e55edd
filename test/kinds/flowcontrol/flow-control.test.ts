import { describe, expect, it } from 'vitest';
import {
  bootstrapFlowSchemas,
  bootstrapPriorityLevels,
} from '../../../src/kinds/flowcontrol/bootstrap-objects.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { RULES } from '../../support/rule-context.ts';
import { defaulted, errorsOf } from '../run-strategy.ts';

const strategies = strategiesOf('flowcontrol.apiserver.k8s.io');

const schemas = strategies['flowschemas']!;
const levels = strategies['prioritylevelconfigurations']!;
const everyone = [{ kind: 'Group', group: { name: 'system:authenticated' } }];
const schema = (rule: object) => ({
  spec: { priorityLevelConfiguration: { name: 'x' }, rules: [{ subjects: everyone, ...rule }] },
});

it('accepts all bootstrap flow schemas and priority levels', () => {
  for (const object of bootstrapFlowSchemas(RULES))
    expect(errorsOf(schemas, object), object.metadata!.name).toEqual([]);
  for (const object of bootstrapPriorityLevels())
    expect(errorsOf(levels, object), object.metadata!.name).toEqual([]);
});

describe('mandatory objects', () => {
  const named = (list: { metadata?: { name?: string }; spec?: unknown }[], name: string, change: object) => {
    const { metadata, spec } = list.find((one) => one.metadata?.name === name)!;
    return { metadata, spec: { ...(spec as object), ...change } };
  };

  it.each(['exempt', 'catch-all'])('rejects changes of the schema %s', (name) => {
    const errors = errorsOf(schemas, named(bootstrapFlowSchemas(RULES), name, { matchingPrecedence: 5 }));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^spec: Invalid value: flowcontrol\.FlowSchemaSpec\{.*MatchingPrecedence:5,/);
    expect(errors[0]).toMatch(new RegExp(`: spec of '${name}' must equal the fixed value$`));
  });

  it('allows changed shares of the exempt level and no changes of catch-all', () => {
    expect(
      errorsOf(
        levels,
        named(bootstrapPriorityLevels(), 'exempt', { exempt: { nominalConcurrencyShares: 9 } }),
      ),
    ).toEqual([]);
    expect(
      errorsOf(
        levels,
        named(bootstrapPriorityLevels(), 'catch-all', {
          limited: { nominalConcurrencyShares: 9, limitResponse: { type: 'Reject' } },
        }),
      ),
    ).toEqual([expect.stringMatching(/must equal the fixed value$/)]);
  });
});

describe('flow schemas', () => {
  it.each([
    [
      { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['x'] }] },
      'nonResourceRules[0].nonResourceURLs[0]: Invalid value: "x": must start with slash',
    ],
    [
      { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a*b'] }] },
      'nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/a*b": wildcard can only do suffix matching',
    ],
    [
      { nonResourceRules: [{ verbs: ['eat'], nonResourceURLs: ['/a/*'] }] },
      'nonResourceRules[0].verbs: Unsupported value: []string{"eat"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
    ],
    [
      { nonResourceRules: [{ verbs: ['get', 'post'], nonResourceURLs: ['/a/*'] }] },
      'nonResourceRules[0].verbs: Unsupported value: []string{"get", "post"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
    ],
    [
      { resourceRules: [{ verbs: ['*'], apiGroups: ['*', 'a'], resources: ['*'], clusterScope: true }] },
      'resourceRules[0].apiGroups: Invalid value: []string{"*", "a"}: if \'*\' is present, must not specify other api groups',
    ],
    [
      { resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] },
      'resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
    ],
  ])('validates the rule %j', (rule, expected) =>
    expect(errorsOf(schemas, schema(rule))).toEqual([`spec.rules[0].${expected}`]),
  );

  it('requires exactly the subject member of the kind', () => {
    const rule = { nonResourceRules: [{ verbs: ['get', 'list', 'proxy'], nonResourceURLs: ['/'] }] };
    const field = 'spec.rules[0].subjects[0]';
    expect(
      errorsOf(schemas, schema({ ...rule, subjects: [{ kind: 'User', group: { name: 'g' } }] })),
    ).toEqual([
      `${field}.user: Required value: user is required when subject kind is 'User'`,
      `${field}.group: Forbidden: group is forbidden when subject kind is not 'Group'`,
    ]);
    expect(errorsOf(schemas, schema({ ...rule, subjects: [{ kind: 'constructor' }] }))).toEqual([
      `${field}.kind: Unsupported value: "constructor": supported values: "Group", "ServiceAccount", "User"`,
    ]);
  });
});

describe('priority levels', () => {
  const limited = (change: object) => ({ spec: { type: 'Limited', limited: change } });

  it('keeps zero shares and defaults other fields', () => {
    expect(
      defaulted(
        levels,
        limited({ nominalConcurrencyShares: 0, limitResponse: { type: 'Queue', queuing: {} } }),
      ).spec,
    ).toMatchObject({
      limited: {
        nominalConcurrencyShares: 0,
        lendablePercent: 0,
        limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    });
    expect(defaulted(levels, limited({})).spec).toMatchObject({ limited: { nominalConcurrencyShares: 30 } });
  });

  it('limits the hand size to what one hash can deal', () => {
    const field = 'spec.limited.limitResponse.queuing.handSize';
    const queue = (queues: number, handSize: number) =>
      limited({ limitResponse: { type: 'Queue', queuing: { queues, handSize } } });
    expect(errorsOf(levels, queue(5, 9))).toEqual([
      `${field}: Invalid value: 9: should not be greater than queues (5)`,
    ]);
    expect(errorsOf(levels, queue(1024, 7))).toEqual([
      `${field}: Invalid value: 7: required entropy bits of deckSize 1024 and handSize 7 should not be greater than 60`,
    ]);
    expect(errorsOf(levels, queue(1024, 6))).toEqual([]);
  });
});
