import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { smallServer } from '../../support/small-server.ts';

const NAMESPACE = '/api/v1/namespaces/n';

it('a watch from a compacted version names the oldest one, where kube-apiserver has a watch cache', async () => {
  const storage = createMemoryStorage();
  const writer = smallServer({ storage });
  for (const name of ['a', 'b', 'c'])
    await writer.send('POST', `${NAMESPACE}/configmaps`, { metadata: { name } });
  await storage.compact(await storage.currentRevision());
  // Another server has no recent events.
  const server = smallServer({ storage });
  const watch = async (resource: string) =>
    (await server.send('GET', `${NAMESPACE}/${resource}?watch=1&resourceVersion=1`)).object;
  const error = (message: string) => ({
    type: 'ERROR',
    object: { kind: 'Status', code: 410, reason: 'Expired', message },
  });
  const oldest = await storage.currentRevision();
  expect(await watch('configmaps')).toMatchObject(error(`too old resource version: 1 (${oldest})`));
  expect(await watch('events')).toMatchObject(
    error('The resourceVersion for the provided watch is too old.'),
  );
  server.close();
  writer.close();
});
