import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const MAPS = '/api/v1/namespaces/n/configmaps';
const LIMITS = '/api/v1/namespaces/n/limitranges';

describe('mutating admission that changes the name', () => {
  let server: SmallServer;
  let calls: number;
  let name: string | undefined;
  beforeEach(() => {
    calls = 0;
    name = undefined;
    const plugin = {
      name: 'Rename',
      handles: () => true,
      admit: ({ object }: { object?: { metadata?: { name?: string | undefined } } }) => {
        calls += 1;
        if (name !== undefined) object!.metadata!.name = name;
      },
    };
    server = smallServer({ storage: createMemoryStorage(), plugins: [plugin as never] });
  });
  afterEach(() => server.close());
  const write = (method: string, path: string, object: object, type?: string) =>
    server.send(method, path, object, type);
  const apply = (path: string, object: object) =>
    write('PATCH', `${path}?fieldManager=m`, object, 'application/apply-patch+yaml');
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } };

  it.each(['other', 'absent', ''])('fails a creation by apply at once, as %j', async (renamed) => {
    await write('POST', MAPS, { metadata: { name: 'other' } });
    [calls, name] = [0, renamed];
    const { status, object } = await apply(`${MAPS}/b`, map);
    expect([status, object.message]).toEqual([
      422,
      `ConfigMap "b" is invalid: metadata.name: Invalid value: "${renamed}": field is immutable: mutating admission must not change the name in the path`,
    ]);
    expect(calls).toBe(1);
    name = undefined;
    expect((await write('GET', MAPS, {})).object.items).toHaveLength(1);
  });

  it('fails a creation by PUT', async () => {
    name = 'other';
    const { status } = await write('PUT', `${LIMITS}/b`, { metadata: { name: 'b' } });
    expect([status, calls]).toEqual([422, 1]);
  });

  it('renames what POST creates', async () => {
    name = 'other';
    const { status, object } = await write('POST', MAPS, { metadata: { name: 'b' } });
    expect([status, object.metadata.name]).toEqual([201, 'other']);
  });
});
