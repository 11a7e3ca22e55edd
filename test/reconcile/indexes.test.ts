import { expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/model/object.ts';
import { BY_CONTROLLER, BY_NODE, controllerOf, ORPHANS } from '../../src/reconcile/indexes.ts';
import { FakeSource } from './fake-source.ts';

const owner = (uid: string, controller: boolean) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: uid,
  uid,
  controller,
});
const pod = (name: string, owners: ReturnType<typeof owner>[], nodeName?: string): KubernetesObject => ({
  metadata: { namespace: 'ns', name, ownerReferences: owners },
  spec: { nodeName },
});

it('finds objects by controller, without controller and by node', () => {
  const source = new FakeSource([
    pod('a', [owner('x', false), owner('y', true)], 'n1'),
    pod('b', [owner('x', false)], 'n1'),
    pod('c', [], undefined),
  ]);
  const found = (index: typeof BY_NODE, key: string) => [...source.find(index, key)].map(([name]) => name);
  expect(found(BY_CONTROLLER, 'y')).toEqual(['a']);
  expect(found(BY_CONTROLLER, 'x')).toEqual([]);
  expect(found(ORPHANS, 'ns')).toEqual(['b', 'c']);
  expect(found(BY_NODE, 'n1')).toEqual(['a', 'b']);
  expect(found(BY_NODE, '')).toEqual([]);
  expect(controllerOf({})).toBeUndefined();
});
