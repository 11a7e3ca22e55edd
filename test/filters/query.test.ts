import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

describe('a request with an unusual target', () => {
  let cluster: TestCluster;
  const maps = '/api/v1/namespaces/default/configmaps';
  const send = async (method: string, path: string, body?: object) => {
    const response = await cluster.fetch(path, {
      method,
      body,
      headers: { 'content-type': 'application/json' },
    });
    return { status: response.status, text: await response.text() };
  };
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
    await send('POST', maps, { metadata: { name: 'a', labels: { x: 'y' } } });
  });
  afterAll(() => cluster.stop());

  it.each([
    ['/a?dryRun=All%ff', 422, 'All\ufffd'],
    ['/a?dryRun=All%zz', 400, 'invalid URL escape in query'],
    ['/a?dryRun%3=All', 400, 'invalid URL escape in query'],
    ['?labelSelector=x%3D%ff', 400, '\ufffd'],
    ['?labelSelector=x%3Dz%', 400, 'invalid URL escape in query'],
    ['?labelSelector=x=z;y=z', 400, 'invalid semicolon separator in query'],
    ['?fieldSelector=metadata.name%3D%ff', 200, '"items":[]'],
    [`?${'&'.repeat(10_000)}dryRun=All`, 400, 'more than 10000 query parameters'],
    ['/%ff', 404, 'configmaps \\"\ufffd\\" not found'],
    ['/%zz', 400, '400 Bad Request'],
  ])('rejects DELETE %s', async (target, status, text) => {
    const answer = await send('DELETE', maps + target);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
    expect((await send('GET', `${maps}/a`)).status).toBe(200);
  });

  it.each([
    ['//api/v1/namespaces/default/configmaps/a', 'page'],
    ['/api//v1/namespaces/default/configmaps/a', 'Status'],
    ['/api/v1//namespaces/default/configmaps/a', 'Status'],
    ['/./api/v1/namespaces/default/configmaps/a', 'page'],
    ['/api/v1/../v1/namespaces/default/configmaps/a', 'Status'],
    ['//apis/apps/v1/namespaces/default/deployments', 'page'],
    ['/apis//v1/namespaces/default/configmaps/a', 'page'],
    ['/apis//apps/v1', 'page'],
    ['//apis/apps', 'page'],
    ['//healthz', 'page'],
  ])('does not clean paths: %s', async (path, form) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(method, path);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain(
        form === 'page' ? '404 page not found' : 'the server could not find the requested resource',
      );
    }
  });

  it('ignores trailing slashes', async () => {
    expect((await send('GET', `${maps}/`)).status).toBe(200);
  });
});
