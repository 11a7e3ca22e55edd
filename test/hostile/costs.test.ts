import { describe, expect, it } from 'vitest';
import { parseAllocationRange } from '../../src/allocation/allocation-range.ts';
import { ServiceAllocator } from '../../src/allocation/service-allocator.ts';
import { FieldSet, fieldElement, fieldSetOf } from '../../src/apply/index.ts';
import { capUpdaters, type Manager, managerKey } from '../../src/apply/managed.ts';
import { uncoveredRules } from '../../src/authorization/rule-coverage.ts';
import { validateLimitRange } from '../../src/kinds/core/limit-range-validation.ts';
import { validateContainers } from '../../src/kinds/core/pods/container-validation.ts';
import { validatePodAnnotations } from '../../src/kinds/core/pods/pod-annotations-validation.ts';
import { validateResourceQuota } from '../../src/kinds/core/resource-quota-validation.ts';
import { validateService } from '../../src/kinds/core/services/service-validation.ts';
import { validateQuobyte } from '../../src/kinds/core/volumes/volume-network-validation.ts';
import { FormerResources } from '../../src/resources/former-resources.ts';
import type { ResourceDefinition } from '../../src/resources/resource-definition.ts';
import { runNow } from '../../src/steps/run.ts';
import { contextOf } from '../kinds/run-strategy.ts';
import { tableOf } from '../support/builtin-resources.ts';
import { growthAtFourTimes } from '../support/processor-time.ts';

/** Between 4 (linear) and 16 (quadratic); leaves room for cache misses. */
const LIMIT = 10;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const fields = (...names: string[]) => fieldSetOf(...names.map((name) => ['data', name].map(fieldElement)));

const updater = (index: number): [string, Manager] => {
  const manager = {
    name: `m${index}`,
    operation: 'Update',
    apiVersion: 'v1',
    subresource: '',
    fields: fields(`k${index}`),
    time: undefined,
  } as const;
  return [managerKey(manager), manager];
};

describe('costs grow linearly with the request', () => {
  it.each<[string, number, (size: number) => () => void]>([
    [
      'updaters that are merged into one',
      1500,
      (size) => {
        const managers = new Map(many(size, updater));
        return () => capUpdaters(managers);
      },
    ],
    [
      'owners of one field each, when all fields are removed',
      1500,
      (size) => {
        const owners = many(size, (index) => fields(`k${index}`));
        const removed = FieldSet.unionOf(owners);
        return () => {
          for (const owner of owners) expect(owner.difference(removed).isEmpty).toBe(true);
        };
      },
    ],
    [
      'ports of a service',
      3000,
      (size) => {
        const service = {
          spec: {
            type: 'ClusterIP',
            ports: many(size, (index) => ({
              name: `c${index}`,
              port: index + 1,
              protocol: 'TCP',
              targetPort: 1,
            })),
          },
        };
        return () => validateService(service, contextOf());
      },
    ],
    [
      'scopes of a quota, invalid and unmatched ones',
      1500,
      (size) => {
        const hard = Object.fromEntries(
          many(size, (index) => [index === 0 ? 'secrets' : `count/r${index}.example.test`, '1']),
        );
        const scopes = many(size, (index) => (index % 2 === 0 ? 'BestEffort' : `scope${index}`));
        const scopeSelector = {
          matchExpressions: scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })),
        };
        return () => validateResourceQuota({ spec: { hard, scopes, scopeSelector } });
      },
    ],
    [
      'pairs of a registry',
      20_000,
      (size) => {
        const registry = many(size, () => 'a').join(',');
        return () => validateQuobyte({ registry, volume: 'v' }, 'spec.quobyte');
      },
    ],
    [
      'types of limits',
      4000,
      (size) => {
        const limits = many(size, (index) => ({ type: `example.test/${index}` }));
        return () => validateLimitRange({ spec: { limits } });
      },
    ],
    [
      'targets of ephemeral containers',
      1500,
      (size) => {
        const containers = many(size, (index) => ({ name: `c${index}`, image: 'i' }));
        const ephemeralContainers = containers.map(({ name }) => ({
          name: `e-${name}`,
          image: 'i',
          targetContainerName: name,
        }));
        const rules = { isPod: true } as Parameters<typeof validateContainers>[3];
        return () =>
          validateContainers(
            { containers, ephemeralContainers },
            new Map() as unknown as Parameters<typeof validateContainers>[1],
            'spec',
            rules,
          );
      },
    ],
    [
      'annotations of containers',
      2000,
      (size) => {
        const containers = many(size, (index) => ({ name: `c${index}` }));
        const annotations = Object.fromEntries(
          containers.map(({ name }) => [
            `container.apparmor.security.beta.kubernetes.io/${name}`,
            'unconfined',
          ]),
        );
        return () => validatePodAnnotations(annotations, { containers }, 'metadata.annotations');
      },
    ],
    [
      'verbs that are not granted',
      3000,
      (size) => {
        const requested = [
          { apiGroups: [''], resources: ['pods'], verbs: many(size, (index) => `v${index}`) },
        ];
        return () => runNow(uncoveredRules([], requested));
      },
    ],
    [
      'versions of a definition that are replaced by others',
      2000,
      (size) => {
        const resources = (prefix: string) =>
          many(size, (index) => ({ row: { version: `${prefix}${index}` } }) as ResourceDefinition);
        const former = new FormerResources();
        return () => former.keep('things.example.com', resources('v'), resources('w'));
      },
    ],
    [
      'groups that are granted',
      5000,
      (size) => {
        const rules = [
          { apiGroups: many(size, (index) => `g${index}`), resources: ['pods'], verbs: ['get'] },
        ];
        return () => runNow(uncoveredRules(rules, structuredClone(rules)));
      },
    ],
    [
      'init containers in the row of a pod',
      3000,
      (size) => {
        const initContainers = many(size, (index) => ({ name: `c${index}` }));
        const initContainerStatuses = initContainers.map(({ name }) => ({
          name,
          state: { terminated: { exitCode: 0 } },
        }));
        const pod = { metadata: { name: 'p' }, spec: { initContainers }, status: { initContainerStatuses } };
        return () => tableOf('', 'pods').cells(pod);
      },
    ],
  ])('%s', (_what, size, prepare) => expect(growthAtFourTimes(size, prepare)).toBeLessThan(LIMIT));

  it('the number of combinations of rules is bounded', () => {
    const names = many(300, (index) => `r${index}`);
    const rule = { apiGroups: names, resources: names, verbs: ['get'] };
    expect(runNow(uncoveredRules([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], [rule]))).toEqual(
      [],
    );
    expect(() => runNow(uncoveredRules([], [rule, rule]))).toThrow(RangeError);
  });

  it('a service that uses all node ports is allocated without blocking the event loop', {
    timeout: 120_000,
  }, async () => {
    const allocator = new ServiceAllocator({
      addressRanges: [parseAllocationRange('10.96.0.0/16')!],
      nodePorts: { first: 1, last: 3000 },
      random: Math.random,
    });
    const before = process.cpuUsage();
    const service = {
      metadata: { name: 's', namespace: 'n' },
      spec: { type: 'NodePort', ports: many(3000, (index) => ({ port: 1 + index, protocol: 'TCP' })) },
    };
    await (await allocator.allocate(service, undefined, contextOf()))?.commit();
    expect(new Set(service.spec.ports.map((port) => (port as { nodePort?: number }).nodePort)).size).toBe(
      3000,
    );
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(8000);
  });
});
