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
  readonly metadata: { readonly continue?: string };
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
