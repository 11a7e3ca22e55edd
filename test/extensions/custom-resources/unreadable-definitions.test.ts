import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import type { ImmediateStorage } from '../../../src/storage/storage.ts';
import { bytes } from '../../storage/helpers.ts';
import { MERGE, type ServedDefinitions, servedDefinitions, version } from './served-definitions.ts';

const KEY = '/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com';
const GROUP = '/apis/example.com';
const THINGS = `${GROUP}/v1/namespaces/default/things`;

describe('a definition that cannot be read', () => {
  let storage: ImmediateStorage;
  const servers: ServedDefinitions[] = [];
  let server: ServedDefinitions;
  const started = async (): Promise<ServedDefinitions> => {
    const one = await servedDefinitions(storage);
    servers.push(one);
    return one;
  };
  const status = async (method: string, path: string, body?: unknown) =>
    (await server.send(method, path, body, method === 'PATCH' ? MERGE : undefined)).status;
  /** Replaces the stored bytes of the definition. */
  const store = async (value: Uint8Array | undefined): Promise<Uint8Array> => {
    const { entry } = await storage.get(KEY);
    await storage.transact({ key: KEY, expected: entry?.revision ?? 0, value });
    return entry!.value;
  };
  let intact: Uint8Array;

  beforeEach(async () => {
    storage = createMemoryStorage();
    server = await started();
    await server.define([version('v1')]);
    const metadata = { name: 'one' };
    await server.send('POST', THINGS, { apiVersion: 'example.com/v1', kind: 'Thing', metadata });
    await vi.waitFor(async () =>
      expect(await status('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com')).toBe(200),
    );
    intact = await store(bytes('{"damaged'));
    // As after a restart: nothing is known from before.
    server = await started();
  });
  afterEach(async () => {
    for (const one of servers.splice(0)) await one.stop();
    await storage.close();
  });

  it('fails requests for its objects with the key, and nothing counts it as deleted', async () => {
    const { status: code, object } = await server.send('GET', `${THINGS}/one`);
    expect([code, object.reason, object.message]).toEqual([
      500,
      'InternalError',
      expect.stringContaining(`not decodable as expected, key "${KEY}"`),
    ]);
    const paths = [THINGS, `${GROUP}/v2/things`, `${THINGS}/one/status`];
    for (const path of paths) expect([path, await status('GET', path)]).toEqual([path, 500]);
    expect(await status('POST', THINGS, {})).toBe(500);
    expect(await status('PATCH', `${THINGS}/one`, {})).toBe(500);
    expect(await status('DELETE', THINGS)).toBe(500);
    expect(await status('GET', `${GROUP}/v1/others`)).toBe(404);
    expect(await status('GET', '/apis/other.com/v1/things')).toBe(404);
    await server.pass(60_000);
    expect(await status('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com')).toBe(200);
  });

  it('is served again when it can be read', async () => {
    await store(intact);
    await vi.waitFor(async () => expect(await status('GET', `${THINGS}/one`)).toBe(200));
    expect(server.resources.unreadable.errorInGroup('example.com')).toBeUndefined();
  });

  it('is gone when it is removed', async () => {
    await store(undefined);
    await vi.waitFor(async () => expect(await status('GET', `${THINGS}/one`)).toBe(404));
    await vi.waitFor(async () => {
      await server.pass(60_000);
      expect(await status('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com')).toBe(404);
    });
  });
});
