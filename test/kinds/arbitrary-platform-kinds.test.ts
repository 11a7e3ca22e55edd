import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Strategy } from '../../src/kinds/strategy.ts';
import { type KubernetesObject, RawJson, setMember } from '../../src/model/object.ts';
import { arbitraryMessage } from '../support/arbitrary-object.ts';
import { BUILTIN_RESOURCES, builtinResourceOf } from '../support/builtin-kinds.ts';
import { strategiesOf } from '../support/builtin-resources.ts';
import { kindType } from '../support/types.ts';
import { contextOf } from './run-strategy.ts';

const admissionregistration = strategiesOf('admissionregistration.k8s.io');
const apiextensions = strategiesOf('apiextensions.k8s.io');
const apiregistration = strategiesOf('apiregistration.k8s.io');
const autoscaling = strategiesOf('autoscaling');
const certificates = strategiesOf('certificates.k8s.io');
const flowcontrol = strategiesOf('flowcontrol.apiserver.k8s.io');
const internal = strategiesOf('internal.apiserver.k8s.io');
const node = strategiesOf('node.k8s.io');
const policy = strategiesOf('policy');
const rbac = strategiesOf('rbac.authorization.k8s.io');
const resource = strategiesOf('resource.k8s.io');
const scheduling = strategiesOf('scheduling.k8s.io');
const storage = strategiesOf('storage.k8s.io');
const storagemigration = strategiesOf('storagemigration.k8s.io');

const GROUPS: Readonly<Record<string, Readonly<Record<string, Strategy>>>> = {
  'admissionregistration.k8s.io': admissionregistration,
  'apiextensions.k8s.io': apiextensions,
  'apiregistration.k8s.io': apiregistration,
  autoscaling,
  'certificates.k8s.io': certificates,
  'flowcontrol.apiserver.k8s.io': flowcontrol,
  'internal.apiserver.k8s.io': internal,
  'node.k8s.io': node,
  policy,
  'rbac.authorization.k8s.io': rbac,
  'resource.k8s.io': resource,
  'scheduling.k8s.io': scheduling,
  'storage.k8s.io': storage,
  'storagemigration.k8s.io': storagemigration,
};

const KINDS = BUILTIN_RESOURCES.filter(
  ({ group, storage: stored }) => GROUPS[group] !== undefined && stored !== undefined,
).map((row) => [`${row.group}/${row.version}`, row.kind, row] as const);

function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy = {};
  for (const [name, part] of Object.entries(value)) setMember(copy, name, copyOf(part));
  return copy as T;
}

it('has a strategy for every stored kind of these groups', () => {
  for (const [, , { group, resource: name }] of KINDS)
    expect(GROUPS[group]![name], `${group} ${name}`).toBeDefined();
});

describe.each(KINDS)('%s %s with arbitrary values of its type', (_apiVersion, kind, row) => {
  const strategy = GROUPS[row.group]![row.resource]!;
  const context = contextOf({
    group: row.group,
    version: row.version,
    resource: row.resource,
    user: { name: 'u', uid: '1', groups: ['g'], extra: new Map() },
  });
  const objects = arbitraryMessage(
    kindType(row.group, row.version, kind)!,
    7,
  ) as fc.Arbitrary<KubernetesObject>;
  const defaulted = (object: KubernetesObject): KubernetesObject => {
    const copy = copyOf(object);
    strategy.defaulting?.byVersion?.[row.version]?.(copy);
    return copy;
  };
  const stored = (object: KubernetesObject): KubernetesObject =>
    strategy.conversions?.[row.version]?.toStorage(defaulted(object)) ?? defaulted(object);

  it('defaults idempotently', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const once = defaulted(object);
        expect(defaulted(once)).toEqual(once);
      }),
      { numRuns: 40 },
    );
  });

  it('is accepted or rejected without an internal error and without changes', () => {
    fc.assert(
      fc.property(objects, objects, (first, second) => {
        const [object, old] = [stored(first), stored(second)];
        const [before, oldBefore] = [copyOf(object), copyOf(old)];
        const errors = [
          ...(strategy.validate?.(object, context) ?? []),
          ...(strategy.validateUpdate?.(object, old, context) ?? []),
          ...Object.values(strategy.validateSubresource ?? {}).flatMap((validate) =>
            validate(object, old, context),
          ),
        ];
        strategy.warnings?.(object, old, context);
        expect([object, old]).toEqual([before, oldBefore]);
        for (const { field, body } of errors)
          expect([typeof field, typeof body]).toEqual(['string', 'string']);
        for (const select of Object.values(builtinResourceOf(row)!.fieldSelectors))
          expect(typeof select(object)).toBe('string');
        strategy.conversions?.[row.version]?.fromStorage(object);
        for (const prepare of Object.values(strategy.prepareForSubresource ?? {}))
          prepare(copyOf(object), old, context);
        const withMetadata = { ...copyOf(object), metadata: { name: 'x', ...object.metadata } };
        strategy.prepareForUpdate?.(withMetadata, old, context);
        strategy.prepareForCreate?.(object, context);
        strategy.canonicalize?.(object);
      }),
      { numRuns: 40 },
    );
  });
});
