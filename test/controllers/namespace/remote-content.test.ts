import { describe, expect, it } from 'vitest';
import { deleteContent } from '../../../src/controllers/namespace/content.ts';
import { Client } from '../../../src/reconcile/client.ts';

const THINGS = { group: 'ext.test', version: 'v1', resource: 'things', kind: 'Thing' };
const none = { find: async () => [], async *metadata() {} };

function serverOf(answer: (method: string, target: string) => { status: number; text: string }) {
  const requests: string[] = [];
  const client = new Client(async ({ method, target }) => {
    requests.push(`${method} ${target.split('?')[0]}`);
    const { status, text } = answer(method, target);
    return {
      status,
      body: (async function* () {
        yield Buffer.from(text);
      })(),
    };
  }, 'test/1');
  return { client, requests };
}

const BASE = '/apis/ext.test/v1/namespaces/ns/things';

describe('objects of extension servers in a namespace', () => {
  it('are deleted at once, and what remains is counted', async () => {
    const items = [{ metadata: { name: 'a', finalizers: ['x.test/keep'] } }];
    const { client, requests } = serverOf((method) => ({
      status: 200,
      text: JSON.stringify(method === 'GET' ? { items, metadata: {} } : {}),
    }));
    const remote = () => ({
      resources: [{ ...THINGS, verbs: ['list', 'deletecollection'] }],
      undiscovered: ['down.test/v1'],
    });
    expect(await deleteContent(client, 'ns', { ...none, remote })).toEqual({
      remaining: new Map([['things.ext.test', 1]]),
      finalizers: new Map([['x.test/keep', 1]]),
      failures: [],
      undiscovered: ['down.test/v1'],
    });
    expect(requests).toEqual([`DELETE ${BASE}`, `GET ${BASE}`]);
  });

  it('are deleted one by one where the server has no deletion of collections', async () => {
    let items: unknown[] = [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }];
    const { client, requests } = serverOf((method, target) => {
      if (method === 'DELETE' && target.endsWith('/b')) {
        items = [];
        return { status: 404, text: '{}' };
      }
      return { status: 200, text: JSON.stringify(method === 'GET' ? { items, metadata: {} } : {}) };
    });
    const remote = () => ({ resources: [{ ...THINGS, verbs: ['list', 'delete'] }], undiscovered: [] });
    expect(await deleteContent(client, 'ns', { ...none, remote })).toMatchObject({
      remaining: new Map(),
      failures: [],
    });
    expect(requests).toEqual([`GET ${BASE}`, `DELETE ${BASE}/a`, `DELETE ${BASE}/b`, `GET ${BASE}`]);
  });

  it('report their failure and do not stop other kinds', async () => {
    const { client } = serverOf((_, target) =>
      target.includes('/broken')
        ? { status: 503, text: 'service unavailable\n' }
        : { status: 200, text: target.includes('/odd') ? 'no JSON' : '{"items":[],"metadata":{}}' },
    );
    const resource = (name: string) => ({ ...THINGS, resource: name, verbs: ['list', 'deletecollection'] });
    const remote = () => ({ resources: ['broken', 'odd', 'things'].map(resource), undiscovered: [] });
    const { failures } = await deleteContent(client, 'ns', { ...none, remote });
    expect(failures).toHaveLength(2);
    expect(failures.join()).toContain('service unavailable');
  });
});
