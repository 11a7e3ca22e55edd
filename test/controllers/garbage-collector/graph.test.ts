import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GraphNode, OwnerGraph } from '../../../src/controllers/garbage-collector/graph.ts';
import {
  type Kind,
  type ObservedObject,
  observe,
} from '../../../src/controllers/garbage-collector/objects.ts';
import { refersTo } from '../../../src/controllers/garbage-collector/references.ts';
import type { ObjectMeta, OwnerReference } from '../../../src/model/object.ts';

const KIND: Kind = {
  resource: { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' },
  namespaced: true,
  store: 'configmaps',
};
const reference = (uid: string, blockOwnerDeletion = false): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `name-${uid}`,
  uid,
  blockOwnerDeletion,
});
const objectOf = (uid: string, revision: number, metadata: Partial<ObjectMeta> = {}): ObservedObject =>
  observe(KIND, { uid, name: `name-${uid}`, namespace: 'n', ...metadata }, revision);

/** A graph that records its events since the last call. */
function createGraph() {
  const requested: string[] = [];
  const dropped: string[] = [];
  const graph = new OwnerGraph(
    {
      examine: ({ uid }) => requested.push(uid),
      orphan: ({ uid }) => requested.push(`orphan ${uid}`),
      drop: ({ uid }) => dropped.push(uid),
    },
    (dependent, owner, object) => refersTo(KIND, dependent, owner, object),
  );
  return { graph, dropped, take: (): string[] => [...new Set(requested.splice(0))].sort() };
}

const uidsOf = (nodes: Iterable<GraphNode>): string[] => [...nodes].map(({ uid }) => uid).sort();

describe('OwnerGraph', () => {
  it('has no nodes for objects without relations', () => {
    const { graph, take } = createGraph();
    graph.put(objectOf('a', 1));
    graph.put(objectOf('a', 2, { finalizers: ['foregroundDeletion'] }));
    graph.remove(objectOf('a', 3));
    expect([graph.size, take()]).toEqual([0, []]);
  });

  it('examines an unknown owner once for all dependents', () => {
    const { graph, take } = createGraph();
    for (let index = 0; index < 100; index += 1)
      graph.put(objectOf(`d${index}`, index + 1, { ownerReferences: [reference('o')] }));
    expect(take()).toEqual(['o']);
    expect(graph.get('o')!.isUnknown).toBe(true);
    graph.put(objectOf('o', 200));
    expect(take()).toEqual([]);
    // Equal references share one object.
    const [first, second] = graph.get('o')!.dependents;
    expect(first!.object!.owners[0]).toBe(second!.object!.owners[0]);
  });

  it('examines dependents of a deleted owner and drops unreferenced nodes', () => {
    const { graph, take } = createGraph();
    graph.put(objectOf('d', 1, { ownerReferences: [reference('o')] }));
    graph.put(objectOf('o', 2));
    take();
    graph.remove(objectOf('o', 3));
    expect(take()).toEqual(['d']);
    graph.remove(objectOf('d', 4));
    expect(graph.size).toBe(0);
  });

  it('examines a waiting owner after its last blocking dependent', () => {
    const { graph, take } = createGraph();
    graph.put(objectOf('o', 1));
    graph.put(objectOf('d', 2, { ownerReferences: [reference('o', true)] }));
    graph.put(
      objectOf('o', 3, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] }),
    );
    expect(take()).toEqual(['d', 'o']);
    expect(graph.get('o')!.blockingDependents).toBe(1);
    graph.put(objectOf('d', 4, { ownerReferences: [reference('o', false)] }));
    expect([graph.get('o')!.blockingDependents, take()]).toEqual([0, ['d', 'o']]);
  });

  it('examines a dependent added while its owner waits', () => {
    const { graph, take } = createGraph();
    graph.put(
      objectOf('o', 1, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] }),
    );
    expect(take()).toEqual(['o']);
    graph.put(objectOf('d', 2, { ownerReferences: [reference('o', true)] }));
    expect(take()).toEqual(['d']);
  });

  it('ignores outdated revisions', () => {
    const { graph } = createGraph();
    graph.put(objectOf('d', 5, { ownerReferences: [reference('o')] }));
    graph.put(objectOf('d', 4, { ownerReferences: [reference('p')] }));
    graph.remove(objectOf('d', 3));
    expect(graph.get('d')!.object!.owners).toEqual([reference('o')]);
    expect(graph.get('p')).toBeUndefined();
  });

  it('examines objects that a new list does not contain', () => {
    const { graph, take } = createGraph();
    graph.put(objectOf('d', 1, { ownerReferences: [reference('o')] }));
    graph.put(objectOf('e', 2, { ownerReferences: [reference('o')] }));
    graph.put(objectOf('o', 3));
    take();
    graph.startListing();
    graph.put(objectOf('d', 1, { ownerReferences: [reference('o')] }));
    graph.finishListing();
    expect(take()).toEqual(['o']);
    expect(graph.get('o')!.isUnknown).toBe(true);
    expect(uidsOf(graph.get('o')!.dependents)).toEqual(['d']);
    expect(graph.get('e')).toBeUndefined();
  });

  it('forgets the objects of a kind, whose dependents are kept', () => {
    const { graph, take, dropped } = createGraph();
    const other: Kind = { ...KIND, store: 'example.com/widgets' };
    const widget = observe(other, { uid: 'w', name: 'name-w', namespace: 'n' }, 2);
    graph.put(objectOf('d', 1, { ownerReferences: [reference('w')] }));
    graph.put(widget);
    graph.put(observe(other, { uid: 'x', name: 'x', ownerReferences: [reference('d')] }, 3));
    take();
    graph.forgetKind('configmaps/other');
    expect(take()).toEqual([]);
    graph.forgetKind('example.com/widgets');
    expect(take()).toEqual(['w']);
    expect(graph.get('w')!.isUnknown).toBe(true);
    expect([graph.size, dropped]).toEqual([2, ['x']]);
    graph.put(widget);
    expect(graph.get('w')!.isAlive).toBe(true);
  });

  const uid = fc.constantFrom('a', 'b', 'c', 'd');
  const metadata = fc.record({
    ownerReferences: fc.array(
      fc.tuple(uid, fc.boolean()).map(([owner, blocking]) => reference(owner, blocking)),
      { maxLength: 3 },
    ),
    finalizers: fc.subarray(['foregroundDeletion', 'orphan', 'other']),
    deletionTimestamp: fc.constantFrom(undefined, '2026-01-01T00:00:00Z'),
  });
  const change = fc.oneof(
    fc.record({ type: fc.constant('put' as const), uid, metadata }),
    fc.record({ type: fc.constant('remove' as const), uid }),
    fc.record({ type: fc.constant('list' as const) }),
  );

  it('matches the remaining objects after arbitrary changes', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const { graph } = createGraph();
        const objects = new Map<string, ObservedObject>();
        changes.forEach((one, index) => {
          if (one.type === 'list') {
            graph.startListing();
            for (const object of objects.values()) graph.put(object);
            graph.finishListing();
          } else if (one.type === 'put') {
            objects.set(one.uid, objectOf(one.uid, index + 1, one.metadata));
            graph.put(objects.get(one.uid)!);
          } else if (objects.delete(one.uid)) graph.remove(objectOf(one.uid, index + 1));
        });
        const naming = (owner: string) =>
          [...objects.values()].filter(
            (object) => object.uid !== owner && object.owners.some((one) => one.uid === owner),
          );
        const wanted = [...new Set(['a', 'b', 'c', 'd'])].filter((one) => {
          const object = objects.get(one);
          const waits = object?.deleting === true && (object.foreground || object.orphans);
          return waits || (object?.owners.length ?? 0) > 0 || naming(one).length > 0;
        });
        expect(['a', 'b', 'c', 'd'].filter((one) => graph.get(one) !== undefined)).toEqual(wanted);
        for (const one of wanted) {
          const node = graph.get(one)!;
          expect(uidsOf(node.dependents)).toEqual(
            uidsOf(naming(one).map((object) => graph.get(object.uid)!)),
          );
          const blocking = naming(one).flatMap((object) =>
            object.owners.filter((owner) => owner.uid === one && owner.blockOwnerDeletion === true),
          );
          expect(node.blockingDependents).toBe(blocking.length);
          if (node.object !== undefined) expect(node.isAlive).toBe(objects.has(one));
        }
      }),
    );
  });
});
