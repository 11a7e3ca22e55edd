import { afterEach, describe, expect, it } from 'vitest';
import { SmallDisk } from '../support/small-disk.ts';
import { BuiltServer } from './support/built-server.ts';
import { until } from './support/until.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('a full disk', () => {
  let server: BuiltServer;
  let disk: SmallDisk | undefined;
  afterEach(async () => {
    await server.end('SIGKILL');
    disk?.unmount();
    await server.remove();
  });

  const create = (name: string) =>
    server.request(CONFIG_MAPS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name }, data: { a: 'x'.repeat(200_000) } }),
    });

  it('fails writes with an error; reads work, and writes recover without a restart', async ({ skip }) => {
    server = new BuiltServer();
    disk = SmallDisk.mount(server.directory, 140);
    await server.start();
    if (disk === undefined) return skip('a small file system cannot be mounted here');
    const written: string[] = [];
    let answer = await create('c0');
    for (let index = 0; answer.status === 201; index += 1) {
      written.push(`c${index}`);
      answer = await create(`c${index + 1}`);
    }
    disk.fill();
    for (const refused of [answer, await create('refused')]) {
      expect(refused.status).toBe(507);
      expect(JSON.parse(refused.text)).toMatchObject({
        kind: 'Status',
        reason: 'InsufficientStorage',
        code: 507,
      });
      expect(refused.text).toContain('free some space and writes work again');
    }
    for (const name of written) expect((await server.request(`${CONFIG_MAPS}/${name}`)).status).toBe(200);
    expect((await server.request('/readyz')).status).toBe(200);
    disk.free();
    for (const name of written)
      await until(
        async () => (await server.request(`${CONFIG_MAPS}/${name}`, { method: 'DELETE' })).status === 200,
        name,
      );
    await until(async () => (await create('again')).status === 201, 'a write after the deletions');
    const { items } = await server.json<{ items: { metadata: { name: string } }[] }>('GET', CONFIG_MAPS);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['again', 'kube-root-ca.crt']);
    await server.end('SIGTERM');
    await server.start();
    expect((await server.request(`${CONFIG_MAPS}/again`)).status).toBe(200);
  });
});
