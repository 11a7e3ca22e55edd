import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage, Transaction } from '../../src/storage/storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const maps = '/api/v1/namespaces/n/configmaps';
const deployments = '/apis/apps/v1/namespaces/n/deployments';
const WRITERS = 250;

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = {
  metadata: { name: 'd' },
  spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
};

/** A store whose commits take an iteration of the event loop, so that writers conflict. */
function slowStorage(onWrite: (transaction: Transaction) => void | Promise<void>): Storage {
  const storage = createMemoryStorage();
  const transact: Storage['transact'] = async (transaction) => {
    await onWrite(transaction);
    await new Promise((resolve) => setImmediate(resolve));
    return storage.transact(transaction);
  };
  return new Proxy(storage, {
    get: (target, name) => {
      const member = name === 'transact' ? transact : Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

describe('concurrent writers of one object', () => {
  let server: SmallServer;
  afterEach(() => server.close());

  it.each<[string, (index: number) => [method: string, path: string, body: unknown, type?: string]]>([
    ['merge patch', (index) => ['PATCH', `${maps}/a`, { data: { [`k${index}`]: 'x' } }, MERGE]],
    [
      'PUT without a version',
      (index) => ['PUT', `${maps}/a`, { metadata: { name: 'a' }, data: { k: String(index) } }],
    ],
    [
      'forced apply',
      (index) => [
        'PATCH',
        `${maps}/a?fieldManager=m&force=true`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: String(index) } },
        APPLY,
      ],
    ],
    ['status patch', (index) => ['PATCH', `${deployments}/d/status`, { status: { replicas: index } }, MERGE]],
    ['scale patch', (index) => ['PATCH', `${deployments}/d/scale`, { spec: { replicas: index } }, MERGE]],
  ])('all succeed in any order: %s', async (_, request) => {
    let attempts = 0;
    server = smallServer({
      storage: slowStorage(() => {
        attempts += 1;
      }),
    });
    await server.send('POST', maps, { metadata: { name: 'a' } });
    await server.send('POST', deployments, deployment);
    attempts = 0;
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, (_one, index) => server.send(...request(index + 2))),
    );
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect([...counts]).toEqual([[200, WRITERS]]);
    // One attempt that conflicts, and one during its turn.
    expect(attempts).toBeLessThanOrEqual(2 * WRITERS);
  });

  it('delete once, and the others get 404', async () => {
    server = smallServer({ storage: slowStorage(() => undefined) });
    await server.send('POST', maps, { metadata: { name: 'a' } });
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.send('DELETE', `${maps}/a`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(404)]);
  });

  it('do not wait for a writer that waits for another process', async () => {
    let before: (() => Promise<unknown>) | undefined;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let outside = 0;
    const storage = slowStorage(async () => {
      const other = before;
      before = undefined;
      await other?.();
    });
    server = smallServer({
      storage,
      plugins: [
        {
          name: 'Webhook',
          handles: (operation) => operation === 'UPDATE',
          leavesProcess: () => true,
          async validate({ object }) {
            if ((object?.['data'] as Record<string, string> | undefined)?.['k'] !== 'slow') return;
            outside += 1;
            if (outside > 1) await gate;
          },
        },
      ],
    });
    await server.send('POST', maps, { metadata: { name: 'a' } });
    const patch = (data: object) => server.send('PATCH', `${maps}/a`, { data }, MERGE);
    before = () => patch({ first: 'x' });
    const slow = patch({ k: 'slow' });
    while (outside < 2) await new Promise((resolve) => setImmediate(resolve));
    // The slow writer has lost an attempt and waits during its turn; others lose one, too.
    before = () => patch({ second: 'x' });
    expect((await patch({ third: 'x' })).object.data).toEqual({ first: 'x', second: 'x', third: 'x' });
    open();
    const { status, object } = await slow;
    expect([status, object.data]).toEqual([200, { first: 'x', k: 'slow', second: 'x', third: 'x' }]);
  });
});

describe('with a cache that lags behind the store', () => {
  it('the next attempt starts from the state that the store returned', async () => {
    const storage = createMemoryStorage();
    // Events are withheld until the end.
    const held: (() => void)[] = [];
    let holding = false;
    let attempts = 0;
    const late = new Proxy(storage, {
      get: (target, name) => {
        if (name === 'watch')
          return (options: Parameters<Storage['watch']>[0]) =>
            target.watch({
              ...options,
              onEvents: (events) =>
                holding ? void held.push(() => options.onEvents(events)) : options.onEvents(events),
            });
        if (name === 'transact')
          return (transaction: Transaction) => {
            attempts += 1;
            return target.transact(transaction);
          };
        const member = Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const server = smallServer({ storage: late });
    await server.send('POST', maps, { metadata: { name: 'a' } });
    holding = true;
    const patch = (data: object) => server.send('PATCH', `${maps}/a`, { data }, MERGE);
    await patch({ one: 'x' });
    attempts = 0;
    expect((await patch({ two: 'x' })).object.data).toEqual({ one: 'x', two: 'x' });
    expect(attempts).toBe(2);
    expect((await server.send('DELETE', `${maps}/a`)).status).toBe(200);
    expect((await server.send('DELETE', `${maps}/a`)).status).toBe(404);
    for (const deliver of held) deliver();
    await server.close();
  });
});
