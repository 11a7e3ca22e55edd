import { afterEach, beforeEach, expect, it } from 'vitest';
import { QuotaLister } from '../../src/listers/quota-lister.ts';
import { ownedByServer } from '../../src/operations/ownership.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const quotas = '/api/v1/namespaces/n/resourcequotas';

let server: SmallServer;
beforeEach(() => {
  server = smallServer({ storage: createMemoryStorage() });
});
afterEach(() => server.close());

it('makes the server the owner of the usage that it charges', async () => {
  const hard = { pods: '5', services: '5' };
  const { object } = await server.send('POST', quotas, { metadata: { name: 'q' }, spec: { hard } });
  await server.send('PUT', `${quotas}/q/status`, {
    ...object,
    status: { hard, used: { pods: '0', services: '0' } },
  });
  const lister = new QuotaLister(server.resources, (served, live, charged) =>
    ownedByServer(served, live, charged, { manager: 'kube-apiserver', now: 0, subresource: 'status' }),
  );
  const [quota] = await lister.list('n');
  expect(await quota!.updateUsed({ pods: '1', services: '0' })).toBe(true);
  const { object: charged } = await server.send('GET', `${quotas}/q`);
  expect(charged.status.used).toEqual({ pods: '1', services: '0' });
  expect(charged.metadata.managedFields).toContainEqual({
    manager: 'kube-apiserver',
    operation: 'Update',
    apiVersion: 'v1',
    time: '1970-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:status': { 'f:used': { 'f:pods': {} } } },
    subresource: 'status',
  });
});
