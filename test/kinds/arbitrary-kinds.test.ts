import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Strategy, StrategyContext } from '../../src/kinds/strategy.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../src/kinds/validation/object-meta.ts';
import { semanticEqual } from '../../src/kinds/validation/semantic-equal.ts';
import { type KubernetesObject, RawJson, setMember } from '../../src/model/object.ts';
import { arbitraryMessage } from '../support/arbitrary-object.ts';
import { BUILTIN_RESOURCES, builtinResourceOf } from '../support/builtin-kinds.ts';
import { strategiesOf } from '../support/builtin-resources.ts';
import { RULES } from '../support/rule-context.ts';
import { kindType } from '../support/types.ts';

const apps = strategiesOf('apps');
const batch = strategiesOf('batch');
const core = strategiesOf('');

const KINDS: readonly (readonly [group: string, kind: string, strategy: Strategy])[] = [
  ['', 'Pod', core['pods']!],
  ['', 'PodTemplate', core['podtemplates']!],
  ['', 'ReplicationController', core['replicationcontrollers']!],
  ['apps', 'ControllerRevision', apps['controllerrevisions']!],
  ['apps', 'DaemonSet', apps['daemonsets']!],
  ['apps', 'Deployment', apps['deployments']!],
  ['apps', 'ReplicaSet', apps['replicasets']!],
  ['apps', 'StatefulSet', apps['statefulsets']!],
  ['batch', 'CronJob', batch['cronjobs']!],
  ['batch', 'Job', batch['jobs']!],
];

/** Returns a deep copy that keeps RawJson values. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy = {};
  for (const [name, part] of Object.entries(value)) setMember(copy, name, copyOf(part));
  return copy as T;
}

const context: StrategyContext = {
  ...RULES,
  user: { name: 'u', groups: [] } as unknown as StrategyContext['user'],
  group: '',
  version: 'v1',
  resource: '',
  subresource: '',
  namespace: 'n',
  dryRun: false,
  now: () => '2020-01-01T00:00:00Z',
};

describe.each(KINDS)('%s %s with arbitrary values of its type', (group, kind, strategy) => {
  const type = kindType(group, 'v1', kind)!;
  const resource = BUILTIN_RESOURCES.find((row) => row.group === group && row.kind === kind)!;
  const selectors = Object.values(builtinResourceOf(resource)!.fieldSelectors);
  const objects = arbitraryMessage(type, 7) as fc.Arbitrary<KubernetesObject>;
  const defaulted = (object: KubernetesObject): KubernetesObject => {
    const copy = copyOf(object);
    strategy.defaulting?.byVersion?.['v1']?.(copy);
    return copy;
  };

  it('defaults idempotently', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const once = defaulted(object);
        expect(defaulted(once)).toEqual(once);
      }),
      { numRuns: 60 },
    );
  });

  it('is accepted or rejected without an internal error', () => {
    fc.assert(
      fc.property(objects, objects, (first, second) => {
        const [object, old] = [defaulted(first), defaulted(second)];
        strategy.warnings?.(object, undefined, context);
        strategy.warnings?.(object, old, context);
        const errors = [
          ...validateObjectMeta(object.metadata, { namespaced: true }),
          ...validateObjectMetaUpdate(object.metadata ?? {}, old.metadata ?? {}, {
            namespaced: true,
            checks: ['change', 'whole'],
          }),
          ...(strategy.validate?.(object, context) ?? []),
          ...(strategy.validateUpdate?.(object, old, context) ?? []),
          ...Object.values(strategy.validateSubresource ?? {}).flatMap((validate) =>
            validate(object, old, context),
          ),
        ];
        for (const select of selectors) expect(typeof select(object)).toBe('string');
        for (const { field, body } of errors)
          expect([typeof field, typeof body]).toEqual(['string', 'string']);
        strategy.deletion?.gracePeriodSeconds?.(object, undefined);
        strategy.scale?.selector(object);
        for (const prepare of Object.values(strategy.prepareForSubresource ?? {}))
          prepare(copyOf(object), old, context);
        strategy.prepareForUpdate?.(copyOf(object), old, context);
        strategy.prepareForCreate?.(object, context);
        strategy.canonicalize?.(object);
      }),
      { numRuns: 60 },
    );
  });

  it('is semantically equal to its copy', () => {
    fc.assert(
      fc.property(objects, (object) => semanticEqual(object, copyOf(object), type)),
      { numRuns: 30 },
    );
  });
});
