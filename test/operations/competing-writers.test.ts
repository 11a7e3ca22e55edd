import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KnownState } from '../../src/cache/written-states.ts';
import { WriterQueue } from '../../src/operations/writer-queue.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { processClock } from '../../src/time/clock.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

const maps = '/api/v1/namespaces/n/configmaps';
const limits = '/api/v1/namespaces/n/limitranges';
const deployments = '/apis/apps/v1/namespaces/n/deployments';
const services = '/api/v1/namespaces/n/services';
const pods = '/api/v1/namespaces/n/pods';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = (replicas: number) => ({
  metadata: { name: 'd' },
  spec: { replicas, selector: { matchLabels: { a: 'b' } }, template },
});

const DEADLINE = 500;

describe('another server writes between the read and the write of', () => {
  let server: SmallServer;
  /** The write of the other server before the next write, once. */
  let before: (() => Promise<unknown>) | undefined;
  let attempts: number;
  /** Monotonic milliseconds. */
  let time: number;
  let writers: WriterQueue<KnownState>;
  /** Writes the ConfigMap like another server on the same store. */
  let writeElsewhere: () => Promise<unknown>;

  beforeEach(() => {
    const storage = createMemoryStorage();
    const key = '/registry/configmaps/n/a';
    writeElsewhere = async () => {
      const { entry } = await storage.get(key);
      return storage.transact({ key, expected: entry!.revision, value: entry!.value });
    };
    time = 0;
    writers = new WriterQueue({ clock: { ...processClock, monotonic: () => time } });
    before = undefined;
    attempts = 0;
    const transact: Storage['transact'] = async (transaction) => {
      const other = before;
      before = undefined;
      await other?.();
      attempts += 1;
      return storage.transact(transaction);
    };
    const contested = new Proxy(storage, {
      get: (target, name) => {
        const member = name === 'transact' ? transact : Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    server = smallServer({ storage: contested, writers, deadline: DEADLINE });
  });
  afterEach(() => server.close());

  const send: SmallServer['send'] = (...request) => server.send(...request);
  const merge = (path: string, patch: object) => send('PATCH', path, patch, MERGE);
  const meanwhile = (other: () => Promise<unknown>) => {
    before = other;
    attempts = 0;
  };

  describe('PUT', () => {
    it('replaces the current object if it has no resourceVersion', async () => {
      const { object } = await send('POST', maps, {
        metadata: { name: 'a', labels: { old: 'x' } },
        data: { k: '1' },
      });
      meanwhile(() =>
        merge(`${maps}/a?fieldManager=other`, { metadata: { labels: { new: 'x' } }, data: { theirs: 'x' } }),
      );
      const answer = await send('PUT', `${maps}/a?fieldManager=me`, {
        metadata: { name: 'a' },
        data: { k: '2' },
        unknown: 1,
      });
      expect([answer.status, attempts]).toEqual([200, 3]);
      expect(answer.warnings).toEqual(['299 - "unknown field \\"unknown\\""']);
      const { metadata, data } = answer.object;
      expect([metadata.uid, metadata.labels, data]).toEqual([object.metadata.uid, undefined, { k: '2' }]);
      // Ownership is computed from the object that was replaced, not from the one read first.
      const managers = metadata.managedFields.map(({ manager }: { manager: string }) => manager);
      expect(managers.sort()).toEqual(['me', 'tester']);
      expect((await send('GET', `${maps}/a`)).object).toEqual(answer.object);
    });

    it('keeps the concurrent status, and continues its generation', async () => {
      await send('POST', deployments, deployment(1));
      meanwhile(async () => {
        await merge(`${deployments}/d`, { spec: { paused: true } });
        await merge(`${deployments}/d/status`, { status: { replicas: 7 } });
      });
      const { status, object } = await send('PUT', `${deployments}/d`, deployment(2));
      expect([
        status,
        object.spec.replicas,
        object.spec.paused,
        object.status.replicas,
        object.metadata.generation,
      ]).toEqual([200, 2, undefined, 7, 3]);
    });

    it.each(['metadata.resourceVersion', 'metadata.uid and resourceVersion'])(
      'rejects a write with %s',
      async (given) => {
        const { object } = await send('POST', maps, { metadata: { name: 'a' }, data: { k: '1' } });
        const { resourceVersion, uid } = object.metadata;
        meanwhile(() => merge(`${maps}/a`, { data: { k: 'theirs' } }));
        const metadata = { name: 'a', resourceVersion, ...(given.includes('uid') ? { uid } : {}) };
        const answer = await send('PUT', `${maps}/a`, { metadata, data: { k: '2' } });
        expect([answer.status, answer.object.reason, attempts]).toEqual([409, 'Conflict', 2]);
        expect(answer.object.message).toBe(`Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`);
        expect((await send('GET', `${maps}/a`)).object.data).toEqual({ k: 'theirs' });
      },
    );

    it('rejects the write if the object has been recreated', async () => {
      const { object } = await send('POST', maps, { metadata: { name: 'a' } });
      meanwhile(async () => {
        await send('DELETE', `${maps}/a`);
        await send('POST', maps, { metadata: { name: 'a' } });
      });
      const answer = await send('PUT', `${maps}/a`, {
        metadata: { name: 'a', uid: object.metadata.uid },
        data: { k: '2' },
      });
      expect([
        answer.status,
        answer.object.message.includes('Precondition failed: UID in precondition'),
      ]).toEqual([409, true]);
      expect((await send('GET', `${maps}/a`)).object.data).toBeUndefined();
    });

    it('returns 404 if the object was deleted, or creates it if the kind allows that', async () => {
      const { object: gone } = await send('POST', maps, { metadata: { name: 'a' } });
      meanwhile(() => send('DELETE', `${maps}/a`));
      const { resourceVersion } = gone.metadata;
      expect(
        (await send('PUT', `${maps}/a`, { metadata: { name: 'a', resourceVersion }, data: { k: '2' } }))
          .status,
      ).toBe(404);

      const { object } = await send('POST', limits, { metadata: { name: 'l' } });
      meanwhile(() => send('DELETE', `${limits}/l`));
      const made = await send('PUT', `${limits}/l`, {
        metadata: { name: 'l', resourceVersion: object.metadata.resourceVersion, labels: { x: 'y' } },
      });
      expect([made.status, made.object.metadata.uid === object.metadata.uid]).toEqual([201, false]);
    });

    it('updates an object that another writer created first', async () => {
      let theirs: unknown;
      meanwhile(async () => {
        theirs = (await send('POST', limits, { metadata: { name: 'l', labels: { theirs: 'x' } } })).object
          .metadata.uid;
      });
      const { status, object } = await send('PUT', `${limits}/l`, {
        metadata: { name: 'l', labels: { mine: 'x' } },
      });
      expect([status, object.metadata.labels, object.metadata.uid]).toEqual([200, { mine: 'x' }, theirs]);
    });

    it('writes nothing if the same was written concurrently', async () => {
      await send('POST', maps, { metadata: { name: 'a' }, data: { k: '1' } });
      const body = { metadata: { name: 'a' }, data: { k: '2' } };
      let theirs: string | undefined;
      meanwhile(async () => {
        theirs = (await send('PUT', `${maps}/a`, body)).object.metadata.resourceVersion;
      });
      const answer = await send('PUT', `${maps}/a`, body);
      expect([answer.status, answer.object.metadata.resourceVersion, attempts]).toEqual([200, theirs, 2]);
    });

    it('retries while others are faster, until its deadline', async () => {
      await send('POST', maps, { metadata: { name: 'a' }, data: { n: '0' } });
      // Another server writes the same object before each attempt.
      let writes = 0;
      const again = async (): Promise<void> => {
        writes += 1;
        time += 1;
        await writeElsewhere();
        before = again;
      };
      meanwhile(again);
      const answer = await send('PUT', `${maps}/a`, { metadata: { name: 'a' }, data: { n: 'mine' } });
      expect([answer.status, answer.object.reason, writes]).toEqual([504, 'Timeout', DEADLINE]);
      expect([attempts, writers.keys, writers.waiting]).toEqual([DEADLINE, 0, 0]);
    });

    it('of a Service allocates one port, regardless of retries', async () => {
      const service = (name: string, type: string) => ({
        metadata: { name },
        spec: { type, ports: [{ port: 80 }] },
      });
      // There are ten node ports: a port that an attempt leaked would be missing.
      for (let index = 0; index < 10; index += 1) {
        await send('POST', services, service(`s${index}`, 'ClusterIP'));
        meanwhile(() => merge(`${services}/s${index}`, { metadata: { labels: { seen: 'yes' } } }));
        const { status, object } = await send(
          'PUT',
          `${services}/s${index}`,
          service(`s${index}`, 'NodePort'),
        );
        expect([status, object.spec.ports[0].nodePort >= 30_000, attempts]).toEqual([200, true, 3]);
      }
      expect((await send('POST', services, service('more', 'NodePort'))).status).toBe(500);
      expect((await send('POST', services, service('more', 'ClusterIP'))).status).toBe(201);
    });
  });

  describe('PATCH', () => {
    it.each([
      ['merge', { data: { k: '2' } }, MERGE],
      ['JSON', [{ op: 'add', path: '/data/k', value: '2' }], JSON_PATCH],
      ['strategic merge', { data: { k: '2' } }, STRATEGIC],
      ['apply', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '2' } }, APPLY],
    ])('patches the current object: %s', async (_, patch, type) => {
      await send('POST', maps, { metadata: { name: 'a' }, data: { first: '1' } });
      meanwhile(() => merge(`${maps}/a`, { data: { theirs: '1' } }));
      const { status, object } = await send('PATCH', `${maps}/a?fieldManager=me`, patch, type);
      expect([status, object.data, attempts]).toEqual([200, { first: '1', theirs: '1', k: '2' }, 3]);
      expect(
        object.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'me').fieldsV1,
      ).toEqual({ 'f:data': { 'f:k': {} } });
    });

    it('with a resourceVersion is rejected', async () => {
      const { object } = await send('POST', maps, { metadata: { name: 'a' } });
      const { resourceVersion } = object.metadata;
      meanwhile(() => merge(`${maps}/a`, { data: { theirs: '1' } }));
      expect((await merge(`${maps}/a`, { metadata: { resourceVersion }, data: { k: '2' } })).status).toBe(
        409,
      );
    });

    it('is rejected if its test operation fails on the new state', async () => {
      await send('POST', maps, { metadata: { name: 'a' }, data: { k: '1' } });
      meanwhile(() => merge(`${maps}/a`, { data: { k: 'theirs' } }));
      const patch = [
        { op: 'test', path: '/data/k', value: '1' },
        { op: 'replace', path: '/data/k', value: '2' },
      ];
      expect((await send('PATCH', `${maps}/a`, patch, JSON_PATCH)).status).toBe(422);
    });

    it('of an applier conflicts with the first one', async () => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '2' } };
      meanwhile(() =>
        send('PATCH', `${maps}/a?fieldManager=other`, { ...body, data: { k: 'theirs' } }, APPLY),
      );
      const answer = await send('PATCH', `${maps}/a?fieldManager=me`, body, APPLY);
      expect([answer.status, answer.object.message]).toEqual([
        409,
        'Apply failed with 1 conflict: conflict with "other": .data.k',
      ]);
    });

    it('of a scale keeps other concurrent changes', async () => {
      await send('POST', deployments, deployment(1));
      meanwhile(() => merge(`${deployments}/d`, { spec: { paused: true } }));
      expect((await merge(`${deployments}/d/scale`, { spec: { replicas: 3 } })).object.spec).toEqual({
        replicas: 3,
      });
      const { object } = await send('GET', `${deployments}/d`);
      expect([object.spec.replicas, object.spec.paused]).toEqual([3, true]);
    });
  });

  describe('DELETE', () => {
    it('removes the current object', async () => {
      await send('POST', maps, { metadata: { name: 'a' } });
      meanwhile(() => merge(`${maps}/a`, { metadata: { finalizers: ['example.com/wait'] } }));
      expect((await send('DELETE', `${maps}/a`)).status).toBe(200);
      const { object } = await send('GET', `${maps}/a`);
      expect([object.metadata.deletionTimestamp, object.metadata.finalizers]).toEqual([
        '2030-01-01T00:00:00Z',
        ['example.com/wait'],
      ]);
    });

    it('with a resourceVersion is rejected', async () => {
      const { object } = await send('POST', maps, { metadata: { name: 'a' } });
      const { resourceVersion } = object.metadata;
      meanwhile(() => merge(`${maps}/a`, { data: { theirs: '1' } }));
      expect((await send('DELETE', `${maps}/a`, { preconditions: { resourceVersion } })).status).toBe(409);
      expect((await send('GET', `${maps}/a`)).status).toBe(200);
    });
  });

  it('a Binding: the first one assigns the node', async () => {
    await send('POST', pods, { metadata: { name: 'p' }, spec: template.spec });
    const bind = (node: string) =>
      send('POST', `${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: node } });
    meanwhile(() => bind('theirs'));
    const answer = await bind('mine');
    expect([answer.status, answer.object.message]).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "theirs"',
    ]);
  });

  it('two Evictions: a budget for one permits one', async () => {
    const budgets = '/apis/policy/v1/namespaces/n/poddisruptionbudgets';
    await send('POST', budgets, {
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    });
    await merge(`${budgets}/b/status`, {
      status: {
        disruptionsAllowed: 1,
        currentHealthy: 2,
        desiredHealthy: 1,
        expectedPods: 2,
        observedGeneration: 1,
      },
    });
    for (const name of ['p', 'q']) {
      await send('POST', pods, { metadata: { name, labels: { a: 'b' } }, spec: template.spec });
      await merge(`${pods}/${name}/status`, {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      });
    }
    const evict = (name: string) =>
      send('POST', `${pods}/${name}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name },
      });
    let theirs: number | undefined;
    meanwhile(async () => {
      theirs = (await evict('q')).status;
    });
    const answer = await evict('p');
    expect([theirs, answer.status]).toEqual([201, 429]);
    expect((await send('GET', `${pods}/p`)).status).toBe(200);
    expect((await send('GET', `${pods}/q`)).status).toBe(404);
  });
});
