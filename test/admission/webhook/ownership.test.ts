import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Servers } from '../../outbound/servers.ts';
import { type Asked, answer, configurations, configure, patching, webhook } from './support.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('fields that a webhook changes', () => {
  let cluster: TestCluster;
  let servers: Servers;
  let respond: (request: Asked) => object;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
    servers = new Servers();
    const port = await servers.https((incoming, outgoing) => {
      void answer(incoming, outgoing, (request) => respond(request));
    });
    const operations = ['CREATE', 'UPDATE'];
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }];
    await configure(cluster, 'Mutating', 'm', webhook(port, { rules }));
  });
  afterAll(async () => {
    await cluster.fetch(`${configurations('Mutating')}/m`, { method: 'DELETE' });
    await cluster.stop();
    await servers.close();
  });
  beforeEach(() => {
    respond = () =>
      patching(
        { op: 'add', path: '/data/added', value: 'x' },
        { op: 'add', path: '/data/a', value: 'changed' },
        { op: 'add', path: '/metadata/labels', value: { l: 'v' } },
      );
  });
  afterEach(() => cluster.fetch(`${CONFIG_MAPS}/x`, { method: 'DELETE' }));

  const TYPES = { POST: 'application/json', PUT: 'application/json' } as const;
  async function write(
    method: 'POST' | 'PUT' | 'PATCH',
    manager: string,
    body: object,
    type = 'application/apply-patch+yaml',
  ): Promise<KubernetesObject> {
    const query = `?fieldManager=${manager}${type.includes('apply') && method === 'PATCH' ? '&force=true' : ''}`;
    const answered = await cluster.fetch(`${CONFIG_MAPS}${method === 'POST' ? '' : '/x'}${query}`, {
      method,
      headers: { 'content-type': method === 'PATCH' ? type : TYPES[method] },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, ...body },
    });
    const object = (await answered.json()) as KubernetesObject & { message?: string };
    expect([answered.status < 300, object.message]).toEqual([true, undefined]);
    return object;
  }

  const owners = ({ metadata }: KubernetesObject): Record<string, string> =>
    Object.fromEntries(
      (metadata?.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [
        `${manager} ${operation}`,
        JSON.stringify(fieldsV1),
      ]),
    );

  it('have no owner when the object is created; a changed value stays with its manager', async () => {
    const created = await write('POST', 'creator', { data: { a: '1' } });
    expect(created['data']).toEqual({ a: 'changed', added: 'x' });
    expect(owners(created)).toEqual({ 'creator Update': '{"f:data":{".":{},"f:a":{}}}' });
  });

  it('have no owner after an update or a patch; what the client repeats is not taken over', async () => {
    await write('POST', 'creator', { data: { a: '1' } });
    const updated = await write('PUT', 'updater', { data: { a: 'changed', added: 'x', b: '2' } });
    expect(owners(updated)).toEqual({
      'creator Update': '{"f:data":{".":{},"f:a":{}}}',
      'updater Update': '{"f:data":{"f:b":{}}}',
    });
    const patched = await write('PATCH', 'patcher', { data: { a: '3' } }, 'application/merge-patch+json');
    expect(patched['data']).toMatchObject({ a: 'changed' });
    expect(owners(patched)).toMatchObject({ 'patcher Update': '{"f:data":{"f:a":{}}}' });
  });

  it('have no owner after an apply, which writes nothing when it is repeated', async () => {
    const applied = await write('PATCH', 'applier', { data: { a: 'changed', c: '1' } });
    expect(owners(applied)).toEqual({ 'applier Apply': '{"f:data":{"f:a":{},"f:c":{}}}' });
    const again = await write('PATCH', 'applier', { data: { a: 'changed', c: '1' } });
    expect(again.metadata).toEqual(applied.metadata);
    const other = await write('PATCH', 'other', { data: { added: 'y' } });
    expect(other['data']).toMatchObject({ added: 'x' });
    expect(owners(other)).toMatchObject({ 'other Apply': '{"f:data":{"f:added":{}}}' });
  });

  it('can be owned by entries that the webhook itself writes', async () => {
    const entry = (changes: object) => ({
      manager: 'hook',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
      ...changes,
    });
    respond = () => patching({ op: 'replace', path: '/metadata/managedFields', value: [entry({})] });
    expect(owners(await write('POST', 'creator', { data: { a: '1' } }))).toEqual({
      'hook Update': '{"f:data":{"f:a":{}}}',
    });
    respond = () =>
      patching({ op: 'replace', path: '/metadata/managedFields', value: [entry({ operation: 'Other' })] });
    const restored = await write('PUT', 'updater', { data: { a: '2' } });
    expect(owners(restored)).toMatchObject({ 'updater Update': '{"f:data":{"f:a":{}}}' });
  });
});
