import { expect, it } from 'vitest';
import type { AdmissionPlugin, AdmissionRequest } from '../../src/request/admission.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { smallServer } from '../support/small-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

it('the objects of a large request are encoded in steps for plugins outside the process', async () => {
  const pending: boolean[] = [];
  const plugin: AdmissionPlugin = {
    name: 'Outside',
    handles: () => true,
    async validate(request: AdmissionRequest) {
      const { object, oldObject } = await request.inVersion('v1');
      for (const one of [object, oldObject]) {
        const encoding = one?.encode?.();
        pending.push(encoding !== undefined);
        await encoding;
        expect(one?.encode?.()).toBeUndefined();
        if (one !== undefined) expect(JSON.parse(one.json())).toEqual(one.plain());
      }
    },
  };
  const server = smallServer({ storage: createMemoryStorage(), plugins: [plugin] });
  const data = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'.repeat(20)]));
  for (const [name, count] of [
    ['small', 3],
    ['large', 20_000],
  ] as const) {
    const body = { metadata: { name }, data: data(count) };
    expect((await server.send('POST', CONFIG_MAPS, body)).status).toBe(201);
    body.data = data(count + 1);
    expect((await server.send('PUT', `${CONFIG_MAPS}/${name}`, body)).status).toBe(200);
  }
  expect(pending).toEqual([false, false, false, false, true, false, true, true]);
  await server.close();
});
