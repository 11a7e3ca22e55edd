import { describe, expect, it } from 'vitest';
import * as bootstrap from '../../src/bootstrap/index.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { recorded } from '../support/recorded.ts';
import { RULES } from '../support/rule-context.ts';

const golden = recorded<Record<string, { name: string; body: { items: KubernetesObject[] } }[]>>('bootstrap');

/** Returns the objects of a recorded list, without members that the server sets. */
function recordedItems(scenario: string, step: string): unknown[] {
  const { items } = golden[scenario]!.find(({ name }) => name === step)!.body;
  return sorted(
    items.map(({ metadata, ...rest }) => {
      const { creationTimestamp, uid, resourceVersion, ...kept } = metadata as Record<string, unknown>;
      if (rest.rules === null) delete rest.rules;
      return { ...rest, metadata: kept };
    }),
  );
}

const sorted = (items: readonly KubernetesObject[]): unknown[] =>
  items
    .map(({ apiVersion, kind, ...rest }) => rest as KubernetesObject)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const keyOf = ({ metadata }: KubernetesObject): string => `${metadata?.namespace}/${metadata?.name}`;

describe('bootstrap objects', () => {
  it('returns the recorded number of objects, new ones on each call', () => {
    expect(bootstrap.bootstrapClusterRoles(RULES)).toHaveLength(64);
    expect(bootstrap.bootstrapClusterRoleBindings(RULES)).toHaveLength(45);
    expect(bootstrap.bootstrapRoles(RULES)).toHaveLength(7);
    expect(bootstrap.bootstrapRoleBindings()).toHaveLength(7);
    expect(bootstrap.bootstrapFlowSchemas(RULES)).toHaveLength(13);
    expect(bootstrap.bootstrapPriorityLevels()).toHaveLength(8);
    expect(bootstrap.bootstrapClusterRoles(RULES)[0]).not.toBe(bootstrap.bootstrapClusterRoles(RULES)[0]);
  });

  it('refers only to existing objects', () => {
    const roles = new Set(bootstrap.bootstrapClusterRoles(RULES).map(keyOf));
    for (const { roleRef } of bootstrap.bootstrapClusterRoleBindings(RULES))
      expect(roles).toContain(`undefined/${(roleRef as { name: string }).name}`);
    const levels = new Set(bootstrap.bootstrapPriorityLevels().map(({ metadata }) => metadata?.name));
    for (const { spec } of bootstrap.bootstrapFlowSchemas(RULES))
      expect(levels).toContain(
        (spec as { priorityLevelConfiguration: { name: string } }).priorityLevelConfiguration.name,
      );
  });

  describe('recorded lists', () => {
    it.each([
      ['cluster-roles', 'cluster roles', bootstrap.bootstrapClusterRoles],
      ['roles', 'roles', bootstrap.bootstrapRoles],
      ['roles', 'role bindings', bootstrap.bootstrapRoleBindings],
      ['priority-classes', 'priority classes', bootstrap.bootstrapPriorityClasses],
    ])('equals the recording %s: %s', (scenario, step, make) =>
      expect(sorted(make(RULES))).toEqual(recordedItems(scenario, step)),
    );
  });
});

describe('reconcileDefault', () => {
  const role = (rules: unknown[], annotations?: Record<string, string>): KubernetesObject => ({
    metadata: { name: 'r', annotations, labels: { a: 'b' } },
    rules,
  });
  const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

  it('adds missing rules, keeps extra ones and skips objects without autoupdate', () => {
    expect(bootstrap.reconcileDefault(role([pods]), role([{ ...pods, verbs: ['get'] }]))?.rules).toEqual([
      { ...pods, verbs: ['get'] },
      { ...pods, verbs: ['list'] },
    ]);
    expect(
      bootstrap.reconcileDefault(role([pods]), role([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }])),
    ).toBeUndefined();
    expect(
      bootstrap.reconcileDefault(
        role([pods]),
        role([], { 'rbac.authorization.kubernetes.io/autoupdate': 'false' }),
      ),
    ).toBeUndefined();
  });

  it('adds missing subjects', () => {
    const binding = (...names: string[]): KubernetesObject => ({
      metadata: {},
      roleRef: { apiGroup: 'g', kind: 'Role', name: 'r' },
      subjects: names.map((name) => ({ kind: 'User', name })),
    });
    expect(bootstrap.reconcileDefault(binding('a', 'b'), binding('b', 'c'))?.subjects).toEqual([
      { kind: 'User', name: 'b' },
      { kind: 'User', name: 'c' },
      { kind: 'User', name: 'a' },
    ]);
    expect(bootstrap.reconcileDefault(binding('a'), binding('a'))).toBeUndefined();
    expect(
      bootstrap.mustReplaceBinding(binding('a'), {
        ...binding('a'),
        roleRef: { apiGroup: 'g', kind: 'Role', name: 'other' },
      }),
    ).toBe(true);
  });
});
