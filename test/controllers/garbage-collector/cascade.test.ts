import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { type AnyObject, Api, COLLECTIONS, ownedBy } from '../api.ts';

const TIMEOUT = 60_000;
const FOREGROUND = 'foregroundDeletion';

describe('garbage collection', () => {
  let cluster: TestCluster;
  let api: Api;
  let namespace: string;
  let since: string;
  beforeAll(async () => {
    cluster = await startCluster({ disableAdmissionPlugins: ['ServiceAccount'] });
    api = new Api(cluster);
  }, TIMEOUT);
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    namespace = await cluster.createNamespace();
    since = await api.versionOf(at('ConfigMap'));
  });

  type Kind = keyof typeof COLLECTIONS;
  const at = (kind: Kind, where = namespace): string => COLLECTIONS[kind].replace('[]', where);
  const make = (kind: Kind, name: string, metadata: object = {}, rest: object = {}): Promise<AnyObject> =>
    api.call('POST', at(kind), { metadata: { name, ...metadata }, ...rest });
  const configMap = (name: string, metadata: object = {}): Promise<AnyObject> =>
    make('ConfigMap', name, metadata);
  const owned = (name: string, ...owners: AnyObject[]): Promise<AnyObject> =>
    configMap(name, { ownerReferences: owners.map((owner) => ownedBy(owner)) });
  const remove = (name: string, propagationPolicy: string, kind: Kind = 'ConfigMap'): Promise<AnyObject> =>
    api.call('DELETE', `${at(kind)}/${name}`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });
  const deleted = (name: string, kind: Kind = 'ConfigMap'): Promise<AnyObject> =>
    api.seen(at(kind), (object, type) => type === 'DELETED' && object.metadata!.name === name, since);
  const named = async (kind: Kind = 'ConfigMap'): Promise<string[]> =>
    (await api.call('GET', at(kind)))
      .items!.map(({ metadata }) => metadata!.name!)
      .filter((name) => name !== 'kube-root-ca.crt');

  it(
    'deletes dependents and their dependents after the owner',
    async () => {
      const owner = await configMap('owner');
      const child = await owned('child', owner);
      await owned('grandchild', child);
      const gone = Promise.all([deleted('child'), deleted('grandchild')]);
      await remove('owner', 'Background');
      await gone;
      expect(await named()).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'deletes Pods, then ReplicaSets, then the Deployment in foreground deletion',
    async () => {
      const spec = {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      };
      const deployment = await make('Deployment', 'd', {}, { spec });
      const replicaSet = await make('ReplicaSet', 'r', { ownerReferences: [ownedBy(deployment)] }, { spec });
      const pods = ['p1', 'p2', 'p3'];
      for (const pod of pods)
        await make(
          'Pod',
          pod,
          { ownerReferences: [ownedBy(replicaSet)], finalizers: ['x.test/held'] },
          { spec: spec.template.spec },
        );
      const order: string[] = [];
      const note = (what: string) => (): number => order.push(what);
      const marked = Promise.all(
        pods.map((pod) =>
          api.seen(
            at('Pod'),
            ({ metadata }) => metadata!.name === pod && metadata!.deletionTimestamp !== undefined,
          ),
        ),
      );
      const all = Promise.all([
        deleted('d', 'Deployment').then(note('d')),
        deleted('r', 'ReplicaSet').then(note('r')),
        ...pods.map((pod) => deleted(pod, 'Pod').then(note('p'))),
      ]);
      const answer = await remove('d', 'Foreground', 'Deployment');
      expect(answer.metadata!.finalizers).toEqual([FOREGROUND]);
      await marked;
      const waiting = await api.call('GET', `${at('ReplicaSet')}/r`);
      expect(waiting.metadata).toMatchObject({
        finalizers: [FOREGROUND],
        deletionTimestamp: expect.any(String),
      });
      for (const pod of pods) await api.merge(`${at('Pod')}/${pod}`, { metadata: { finalizers: null } });
      await all;
      expect(order.at(-1)).toBe('d');
      expect(order.indexOf('r')).toBe(3);
    },
    TIMEOUT,
  );

  it(
    'waits in foreground deletion only for dependents with blockOwnerDeletion',
    async () => {
      const owner = await configMap('owner');
      await configMap('free', { ownerReferences: [ownedBy(owner, false)], finalizers: ['x.test/held'] });
      const gone = deleted('owner');
      const marked = api.seen(
        at('ConfigMap'),
        ({ metadata }) => metadata!.name === 'free' && metadata!.deletionTimestamp !== undefined,
      );
      await remove('owner', 'Foreground');
      await Promise.all([gone, marked]);
      expect((await api.call('GET', `${at('ConfigMap')}/free`)).metadata!.finalizers).toEqual([
        'x.test/held',
      ]);
      await api.merge(`${at('ConfigMap')}/free`, { metadata: { finalizers: null } });
    },
    TIMEOUT,
  );

  it(
    'removes an owner without dependents immediately',
    async () => {
      await configMap('alone');
      const gone = deleted('alone');
      await remove('alone', 'Foreground');
      await gone;
      await configMap('orphaning');
      const orphaned = deleted('orphaning');
      await remove('orphaning', 'Orphan');
      await orphaned;
    },
    TIMEOUT,
  );

  it(
    'removes the owner reference from orphaned dependents',
    async () => {
      const owner = await configMap('owner');
      const other = await configMap('other');
      await owned('one', owner);
      await owned('two', owner, other);
      const gone = deleted('owner');
      await remove('owner', 'Orphan');
      await gone;
      expect((await api.call('GET', `${at('ConfigMap')}/one`)).metadata!.ownerReferences).toBeUndefined();
      expect((await api.call('GET', `${at('ConfigMap')}/two`)).metadata!.ownerReferences).toEqual([
        ownedBy(other),
      ]);
      expect(await named()).toEqual(['one', 'other', 'two']);
    },
    TIMEOUT,
  );

  it(
    'deletes a dependent after its last owner, and removes references to deleted owners before that',
    async () => {
      const first = await configMap('first');
      const second = await configMap('second');
      await owned('child', first, second);
      const changed = api.seen(
        at('ConfigMap'),
        ({ metadata }) => metadata!.name === 'child' && metadata!.ownerReferences?.length === 1,
      );
      await remove('first', 'Background');
      expect((await changed).metadata!.ownerReferences).toEqual([ownedBy(second)]);
      const gone = deleted('child');
      await remove('second', 'Background');
      await gone;
    },
    TIMEOUT,
  );

  it(
    'removes the reference to an owner in foreground deletion from a dependent with another owner',
    async () => {
      const waiting = await configMap('waiting');
      const staying = await configMap('staying');
      await owned('child', waiting, staying);
      const gone = deleted('waiting');
      await remove('waiting', 'Foreground');
      await gone;
      expect((await api.call('GET', `${at('ConfigMap')}/child`)).metadata!.ownerReferences).toEqual([
        ownedBy(staying),
      ]);
    },
    TIMEOUT,
  );

  it(
    'deletes a cycle of owners',
    async () => {
      const one = await configMap('one');
      const two = await owned('two', one);
      await api.merge(`${at('ConfigMap')}/one`, { metadata: { ownerReferences: [ownedBy(two)] } });
      const self = await configMap('self');
      await api.merge(`${at('ConfigMap')}/self`, { metadata: { ownerReferences: [ownedBy(self)] } });
      const gone = Promise.all([deleted('one'), deleted('two'), deleted('self')]);
      await remove('one', 'Foreground');
      await remove('self', 'Foreground');
      await gone;
    },
    TIMEOUT,
  );

  it(
    'deletes dependents of an owner that never existed or was recreated with another uid',
    async () => {
      const other = await configMap('other');
      const gone = Promise.all([deleted('stray'), deleted('mistaken')]);
      await owned('stray', { ...other, metadata: { name: 'nobody', uid: 'no-uid' } });
      await owned('mistaken', { ...other, metadata: { name: 'other', uid: 'another-uid' } });
      await gone;
      expect(await named()).toEqual(['other']);
    },
    TIMEOUT,
  );

  it(
    'deletes no dependents of an owner whose kind is not served',
    async () => {
      const owner = await configMap('owner');
      const unknown = { apiVersion: 'x.test/v1', kind: 'Unknown', metadata: { name: 'u', uid: 'u-1' } };
      await owned('doubtful', unknown);
      await owned('doubtful-too', unknown, owner);
      const gone = deleted('after');
      await owned('after', { ...owner, metadata: { name: 'nobody', uid: 'u-2' } });
      await gone;
      expect(await named()).toEqual(['doubtful', 'doubtful-too', 'owner']);
      expect(
        (await api.call('GET', `${at('ConfigMap')}/doubtful-too`)).metadata!.ownerReferences,
      ).toHaveLength(2);
    },
    TIMEOUT,
  );

  it(
    'records an event for an owner in another namespace, and deletes the dependents',
    async () => {
      const elsewhere = await cluster.createNamespace();
      const owner = await api.call('POST', at('ConfigMap', elsewhere), { metadata: { name: 'owner' } });
      const gone = Promise.all([deleted('lost'), deleted('lost-too')]);
      const { metadata } = await owned('lost', owner);
      await owned('lost-too', owner);
      await gone;
      await api.seen(
        at('Event'),
        ({ involvedObject }) => (involvedObject as { name?: string }).name === 'lost-too',
      );
      const event = await api.seen(
        at('Event'),
        ({ involvedObject }) => (involvedObject as { name?: string }).name === 'lost',
      );
      expect(event).toMatchObject({
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: owner, uid: ${owner.metadata!.uid}] does not exist in namespace "${namespace}"`,
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'lost', uid: metadata!.uid },
        source: { component: 'garbage-collector-controller' },
        reportingComponent: 'garbage-collector-controller',
        count: 1,
      });
      expect(await api.status(`${at('ConfigMap', elsewhere)}/owner`)).toBe(200);
    },
    TIMEOUT,
  );

  it(
    'keeps a cluster-scoped object with a namespaced owner, and records an event',
    async () => {
      const owner = await configMap('owner');
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
      await api.call('POST', roles, {
        metadata: { name: `role-${namespace}`, ownerReferences: [ownedBy(owner)] },
      });
      const event = await api.seen(
        at('Event', 'default'),
        ({ involvedObject }) => (involvedObject as { name?: string }).name === `role-${namespace}`,
      );
      expect(event).toMatchObject({
        reason: 'OwnerRefInvalidNamespace',
        involvedObject: { kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1' },
      });
      await remove('owner', 'Background');
      const gone = deleted('after');
      await owned('after', owner);
      await gone;
      expect(await api.status(`${roles}/role-${namespace}`)).toBe(200);
    },
    TIMEOUT,
  );

  it(
    'deletes namespaced dependents of a cluster-scoped owner',
    async () => {
      const role = await api.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: `owner-${namespace}` },
      });
      const gone = deleted('child');
      await owned('child', role);
      await api.call('DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterroles/owner-${namespace}`);
      await gone;
    },
    TIMEOUT,
  );

  it(
    'observes changes of owner references',
    async () => {
      const owner = await configMap('owner');
      const child = await configMap('child', {
        finalizers: ['x.test/held'],
        ownerReferences: [ownedBy(owner)],
      });
      await remove('owner', 'Foreground');
      await api.seen(
        at('ConfigMap'),
        ({ metadata }) => metadata!.name === 'child' && metadata!.deletionTimestamp !== undefined,
      );
      const gone = deleted('owner');
      await api.merge(`${at('ConfigMap')}/${child.metadata!.name}`, { metadata: { ownerReferences: null } });
      await gone;
      expect((await api.call('GET', `${at('ConfigMap')}/child`)).metadata!.finalizers).toEqual([
        'x.test/held',
      ]);
      await api.merge(`${at('ConfigMap')}/child`, { metadata: { finalizers: null } });
    },
    TIMEOUT,
  );
});
