import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const DEPTH = 30_000;

describe('the paths of clusters and faults', () => {
  let server: TestCluster;
  beforeAll(async () => {
    server = await startCluster({ clusters: true, faults: true, controllers: ['-*'] });
  });
  afterAll(() => server.stop());

  const send = async (path: string, method: string, body?: unknown) => {
    const response = await server.fetch(path, { method, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text() };
  };

  it.each([
    '',
    '..',
    '.',
    '-a',
    'a-',
    'a/b',
    'a%2fb',
    'ä',
    'a\u0000',
    'a\n',
    'template.',
    '__proto__',
    'a'.repeat(64),
  ])('refuse the name %j', async (name) => {
    const { status, text } = await send('/clusters', 'POST', { name });
    expect([status, text]).toEqual([400, expect.stringContaining('DNS label')]);
  });

  it.each([
    '{"__proto__":{"name":"a"}}',
    '{"constructor":{"prototype":{"name":"a"}}}',
    `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
    `{"name":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
    `{"from":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    '{"name":{"toString":1}}',
    '{"simulateNodes":1e400}',
    '{"expires":{}}',
    '{"from":"first","at":1.5}',
    '{"from":"first","at":true}',
    '{"from":"first","at":null}',
    'null',
    '"a"',
  ])('reject a body that is not a valid request (%#)', async (body) => {
    const { status, text } = await send('/clusters', 'POST', body);
    expect([status, text]).toEqual([400, expect.stringContaining('"reason":"BadRequest"')]);
    expect(text.length).toBeLessThan(1000);
  });

  it.each([
    '{"__proto__":{"status":500}}',
    '{"status":500,"__proto__":{"count":1}}',
    '{"status":500,"verbs":{"length":100}}',
    `{"status":500,"names":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
    `{"status":500,"names":${JSON.stringify(Array.from({ length: 101 }, String))}}`,
    '{"status":500,"share":1e400}',
    '{"delay":"1e9h"}',
  ])('refuse a rule that is none (%#)', async (body) => {
    expect((await send('/faults', 'POST', body)).status).toBe(400);
    expect(JSON.parse((await send('/faults', 'GET')).text)).toEqual({ faults: [] });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '..%2f..', '%2e%2e', 'a%00'])(
    'know no cluster %s',
    async (name) => {
      for (const [path, method] of [
        ['', 'GET'],
        ['', 'DELETE'],
        ['/reset', 'POST'],
        ['/clock', 'GET'],
        ['/faults', 'GET'],
        ['/api/v1/namespaces', 'GET'],
      ] as const)
        expect([path, (await send(`/clusters/${name}${path}`, method)).status]).toEqual([path, 404]);
    },
  );

  it('give a name to one of the requests that ask for it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send('/clusters', 'POST', { name: 'one' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    for (const set of [null, true, [], {}, 1.5])
      expect((await send('/clusters/one/clock', 'POST', { set })).status).toBe(400);
    expect((await send('/clusters/one', 'DELETE')).status).toBe(200);
  });

  it('name clusters like members of objects', async () => {
    expect((await send('/clusters', 'POST', { name: 'constructor' })).status).toBe(201);
    expect(JSON.parse((await send('/clusters/constructor', 'GET')).text)).toMatchObject({
      name: 'constructor',
    });
    expect((await send('/clusters/constructor', 'DELETE')).status).toBe(200);
    expect((await send('/clusters/constructor', 'GET')).status).toBe(404);
  });
});
