import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { smallServer } from '../support/small-server.ts';

it('an update with the object of a source, which has no managed fields, leaves those of others', async () => {
  const server = smallServer({ storage: createMemoryStorage() });
  const path = '/api/v1/namespaces/default/configmaps';
  const { object } = await server.send('POST', `${path}?fieldManager=author`, {
    metadata: { name: 'map' },
    data: { key: 'value' },
  });
  const { managedFields, ...metadata } = object.metadata;
  const updated = await server.send('PUT', `${path}/map?fieldManager=author`, {
    ...object,
    metadata,
  });
  expect(updated.object.metadata.managedFields).toEqual(managedFields);
  const changed = await server.send('PUT', `${path}/map?fieldManager=other`, {
    ...object,
    metadata,
    data: { key: 'value', more: 'x' },
  });
  const owners = (changed.object.metadata.managedFields as { manager: string; fieldsV1: unknown }[]).map(
    ({ manager, fieldsV1 }) => [manager, fieldsV1],
  );
  expect(owners).toEqual([
    ['author', managedFields[0].fieldsV1],
    ['other', { 'f:data': { 'f:more': {} } }],
  ]);
  await server.close();
});
