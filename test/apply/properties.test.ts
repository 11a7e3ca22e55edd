import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf as fieldsOfInSteps } from '../../src/apply/configuration.ts';
import { itemElement } from '../../src/apply/elements.ts';
import { equalValues } from '../../src/apply/equal-values.ts';
import { FieldManager, FieldSet, messageShape } from '../../src/apply/index.ts';
import { managersOf } from '../../src/apply/managed.ts';
import { mergeConfiguration } from '../../src/apply/merge.ts';
import { namedMembers } from '../../src/apply/named-members.ts';
import type { Shape } from '../../src/apply/shape.ts';
import { fromPlain, toPlain } from '../../src/codec/typed.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { runNow } from '../../src/steps/run.ts';
import { atOnce } from '../support/at-once.ts';
import { plainObjects } from '../support/plain-objects.ts';
import { kindType } from '../support/types.ts';

const fieldsOf = atOnce(fieldsOfInSteps);

const KINDS = [
  ['', 'v1', 'Pod'],
  ['', 'v1', 'Service'],
  ['', 'v1', 'ConfigMap'],
  ['', 'v1', 'Node'],
  ['apps', 'v1', 'Deployment'],
  ['networking.k8s.io', 'v1', 'Ingress'],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
  ['rbac.authorization.k8s.io', 'v1', 'ClusterRole'],
] as const;
const NAMES = ['one', 'two', 'three'] as const;

/** Sorts merging lists by the identity of their items, to ignore the order of merged items. */
function ordered(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'leaf' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(
      (item) =>
        [itemElement(shape, item), shape.kind === 'keyed' ? ordered(shape.item(), item) : item] as const,
    );
    return items.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  }
  return Object.fromEntries(
    Object.keys(value).map((name) => {
      const member = (value as Record<string, unknown>)[name];
      const inside = shape.member(name);
      return [name, inside === undefined ? member : ordered(inside.shape, member)];
    }),
  );
}

/** Whether the value at a path is granular. */
function hasParts(root: Shape, path: readonly string[]): boolean {
  let shape: Shape | undefined = root;
  for (const element of path) {
    if (element.startsWith('f:')) shape = shape?.member(element.slice(2))?.shape;
    else shape = shape?.kind === 'keyed' ? shape.item() : undefined;
  }
  return shape !== undefined && shape.kind !== 'leaf';
}

describe.each(KINDS)('%s/%s %s', (group, version, kind) => {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const type = kindType(group, version, kind)!;
  const shape = messageShape(type);
  const configurations = plainObjects(type, 5).map((plain) => {
    const { managedFields: _, ...metadata } = (plain['metadata'] ?? {}) as Record<string, unknown>;
    return { ...plain, apiVersion, kind, metadata: { ...metadata, name: 'a' } };
  });

  const subject = () => {
    let seconds = 0;
    let live: KubernetesObject | undefined;
    const manager = new FieldManager({
      apiVersion,
      subresource: '',
      ignored: FieldSet.empty,
      shape: (requested) => (requested === apiVersion ? shape : undefined),
      convert: (object) => object,
      toPlain: (object) => toPlain(type, object, { apiVersion, kind }) as object,
      fromPlain: (plain) => fromPlain(type, plain).value,
      now: () => new Date(Date.UTC(2024, 0, 1, 0, 0, seconds)).toISOString(),
    });
    return {
      apply(name: string, configuration: object): void {
        seconds += 1;
        const { object, managedFields } = runNow(manager.apply(live, configuration, name, true));
        const next = object === undefined ? live! : fromPlain(type, object).value;
        live = { ...next, metadata: { ...next.metadata, managedFields: managedFields as never } };
      },
      update(name: string, configuration: object): void {
        seconds += 1;
        const next = fromPlain(type, configuration).value;
        next.metadata = {
          ...next.metadata,
          managedFields: runNow(manager.updated(live, next, name)) as never,
        };
        live = next;
      },
      plain: () =>
        toPlain(
          type,
          { ...live!, metadata: { ...live!.metadata, managedFields: undefined } },
          { apiVersion, kind },
        ) as Record<string, unknown>,
      owners: () => runNow(managersOf(live)),
      text: () =>
        JSON.stringify(live, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    };
  };
  const steps = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.boolean(), configurations), {
    minLength: 1,
    maxLength: 5,
  });

  it('apply is idempotent, and applied fields are in the object', () => {
    fc.assert(
      fc.property(steps, configurations, (before, configuration) => {
        const object = subject();
        for (const [name, applies, step] of before) object[applies ? 'apply' : 'update'](name, step);
        object.apply('one', configuration);
        const once = object.text();
        const plain = object.plain();
        object.apply('one', configuration);
        expect(object.text()).toBe(once);
        const merged = runNow(mergeConfiguration(shape, plain, configuration));
        const decoded = toPlain(type, fromPlain(type, merged as object).value, { apiVersion, kind });
        expect(equalValues(ordered(shape, plain), ordered(shape, decoded))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('owned fields exist, and each field is owned by its last writer', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const object = subject();
        for (const [name, applies, step] of all) {
          object[applies ? 'apply' : 'update'](name, step);
          const there = namedMembers(shape, fieldsOf(shape, object.plain(), false));
          const owners = [...object.owners().values()];
          for (const { name: owner, fields } of owners) {
            expect([...NAMES, 'before-first-apply']).toContain(owner);
            // A struct, map or list emptied by others is absent from the object, although its creator still
            // owns it.
            const gone = namedMembers(shape, fields).difference(there).paths();
            expect(
              gone.filter((path) => !hasParts(shape, path)),
              `${owner} owns an absent field`,
            ).toEqual([]);
          }
          if (!applies) continue;
          const own =
            owners.find(({ name: owner, operation }) => owner === name && operation === 'Apply')?.fields ??
            FieldSet.empty;
          const metadata = { ...step.metadata } as Record<string, unknown>;
          for (const unowned of [
            'name',
            'namespace',
            'creationTimestamp',
            'selfLink',
            'uid',
            'generation',
            'managedFields',
            'resourceVersion',
          ])
            delete metadata[unowned];
          const applied = fieldsOf(shape, { ...step, metadata }, true);
          expect(own.equals(applied) || applied.difference(own).paths().join() === 'f:metadata').toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('removes applied fields once no manager applies them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...NAMES), configurations), { minLength: 1, maxLength: 4 }),
        (all) => {
          const object = subject();
          for (const [name, step] of all) object.apply(name, step);
          for (const name of NAMES) object.apply(name, { apiVersion, kind, metadata: { name: 'a' } });
          expect([...object.owners().values()]).toEqual([]);
          const left = fieldsOf(shape, object.plain(), false).difference(
            fieldsOf(shape, toPlain(type, {}, { apiVersion, kind }) as object, false),
          );
          const kept = left
            .paths()
            .filter(
              ([first, second]) =>
                !(
                  first === 'f:metadata' &&
                  (second === undefined ||
                    /^f:(name|namespace|creationTimestamp|selfLink|uid|generation|resourceVersion)$/.test(
                      second,
                    ))
                ),
            );
          expect(kept).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('merging is associative except for the order of lists', () => {
    fc.assert(
      fc.property(configurations, configurations, configurations, (a, b, c) => {
        const merge = (left: unknown, right: unknown) => runNow(mergeConfiguration(shape, left, right));
        expect(
          equalValues(ordered(shape, merge(merge(a, b), c)), ordered(shape, merge(a, merge(b, c)))),
        ).toBe(true);
        expect(equalValues(merge(a, a), a)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
