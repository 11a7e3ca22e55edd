import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { turnsUntil } from '../../cache/support.ts';
import { smallServer } from '../../support/small-server.ts';

const pods = '/api/v1/namespaces/default/pods';
const SELECTORS = [
  'fieldSelector=spec.nodeName%3Dnode-3',
  'fieldSelector=spec.nodeName%3D',
  'fieldSelector=spec.nodeName%3Dnode-3,status.phase!%3DPending',
  'fieldSelector=spec.schedulerName%3Dother,spec.nodeName%3Dnode-2',
  'labelSelector=app%3Da5',
  'labelSelector=app%20in%20(a5),even%3Dtrue',
  'labelSelector=app%3Dnone',
];

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

it('lists and watches the same with and without an index', async () => {
  const server = smallServer({ storage: createMemoryStorage() });
  for (let at = 0; at < 300; at += 1)
    await server.send('POST', pods, {
      metadata: { name: `p${at}`, labels: { app: `a${at % 20}`, even: String(at % 2 === 0) } },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        ...(at % 7 !== 0 && { nodeName: `node-${at % 10}` }),
        ...(at % 3 === 0 && { schedulerName: 'other' }),
      },
    });
  const names = async (query: string): Promise<string[]> => {
    const found: string[] = [];
    let token = '';
    do {
      const path = `${pods}?${query}${token && `&continue=${encodeURIComponent(token)}`}`;
      const { items, metadata } = (await server.send('GET', path)).object as unknown as Listed;
      found.push(...items.map(({ metadata: { name } }) => name));
      token = metadata.continue ?? '';
    } while (token !== '');
    return found;
  };
  for (const selector of SELECTORS) {
    const scanned = await names(selector);
    // The index is made meanwhile.
    for (let turn = 0; turn < 6; turn += 1) await names(selector);
    await turnsUntil(() => true);
    for (const limit of ['', '&limit=3', '&limit=500'])
      expect([selector, await names(selector + limit)]).toEqual([selector, scanned]);
  }
  await server.close();
});

it('has lists wait for an index that is being filled, but not those of an exact version', async () => {
  const storage = createMemoryStorage();
  const server = smallServer({ storage });
  const { cache, stored } = server.resources.find('', 'v1', 'configmaps')!;
  const maps = '/api/v1/namespaces/default/configmaps';
  await storage.createBatch(
    Array.from({ length: 4200 }, (_, at) => {
      const metadata = { name: `m${at}`, namespace: 'default', labels: { app: `a${at % 100}` } };
      return { key: stored.key('default', `m${at}`), value: stored.codec.encode({ metadata }) };
    }),
  );
  const selected = `${maps}?labelSelector=app%3Da7`;
  const listed = async (path: string): Promise<Listed> => (await server.send('GET', path)).object;
  const names = ({ items }: Listed) => items.map(({ metadata: { name } }) => name);
  const [first] = [names(await listed(selected)), await listed(selected)];
  const { revision } = cache;
  const before = cache.counts.fetched;
  // The first one has the index made; the others come while it is.
  const waiting = [selected, selected, selected].map(listed);
  const scanned = await listed(`${selected}&resourceVersionMatch=Exact&resourceVersion=${revision}`);
  expect([scanned.metadata.resourceVersion, names(scanned)]).toEqual([String(revision), first]);
  await server.send('DELETE', `${maps}/m7`);
  const without = first.filter((name) => name !== 'm7');
  for (const each of await Promise.all(waiting))
    expect(names(each)).toEqual(Number(each.metadata.resourceVersion) > revision ? without : first);
  expect(cache.counts.fetched - before).toBeLessThan(2 * 4200);
  expect(names(await listed(selected))).toEqual(without);
  await server.close();
});
