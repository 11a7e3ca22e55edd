import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TemporaryDirectory } from '../../../src/files/temporary-directory.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { startCluster } from '../../../src/testing/index.ts';
import {
  APPLY,
  DEFINITIONS,
  definition,
  type ServedDefinitions,
  servedDefinitions,
  version,
} from './served-definitions.ts';

const STRING = { type: 'string' };
const things = (name = '', apiVersion = 'v1') =>
  `/apis/example.com/${apiVersion}/namespaces/default/things${name === '' ? '' : `/${name}`}`;
const thing = (name: string, spec: object = {}, apiVersion = 'v1') => ({
  apiVersion: `example.com/${apiVersion}`,
  kind: 'Thing',
  metadata: { name },
  spec,
});

let storage: Storage;
let server: ServedDefinitions;
beforeEach(async () => {
  storage = createMemoryStorage();
  server = await servedDefinitions(storage);
});
afterEach(() => server.stop());

const create = async (...parts: Parameters<typeof thing>) => {
  const { status, object } = await server.send('POST', things(), thing(...parts));
  expect(status).toBe(201);
  return object;
};
/** Waits until a path has this status. */
const becomes = (path: string, status: number) =>
  vi.waitFor(async () => expect((await server.send('GET', path)).status).toBe(status));
/** The events of a watch that has ended. */
const events = (bytes: Buffer) =>
  bytes
    .toString()
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('the resources of definitions', () => {
  it('appear with a definition, follow its versions and go with it', async () => {
    expect((await server.send('GET', things())).status).toBe(404);
    await server.define([version('v1', { a: STRING }), version('v2', { b: STRING })]);
    await create('one', { a: 'x', b: 'y' });
    expect((await server.send('GET', things('one'))).object.spec).toEqual({ a: 'x' });
    expect((await server.send('GET', things('one', 'v2'))).object).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: {},
    });
    await server.redefine({
      spec: { versions: [{ ...version('v1'), storage: true }, version('v2', {}, { served: false })] },
    });
    await becomes(things('', 'v2'), 404);
    expect((await server.send('GET', things('one'))).object.spec).toEqual({});
    expect((await server.send('DELETE', `${DEFINITIONS}/things.example.com`)).status).toBe(200);
    await server.pass(100);
    await becomes(things(), 404);
    await vi.waitFor(async () =>
      expect(
        (await storage.range({ start: '/registry/example.com/', end: '/registry/example.com0' })).entries,
      ).toEqual([]),
    );
  });

  it('end all watches with a change of the spec, which cannot be resumed from before it', async () => {
    await server.define([version('v1', { a: STRING })]);
    const { metadata } = (await server.send('GET', things())).object;
    const watch = (from: string) => server.send('GET', `${things()}?watch=1&resourceVersion=${from}`);
    const watching = watch(metadata.resourceVersion);
    await create('one', { a: 'x' });
    await server.redefine({ metadata: { labels: { changed: 'yes' } } });
    await create('two', { a: 'y' });
    await server.redefine({ spec: { versions: [{ ...version('v1'), storage: true }] } });
    const seen = events((await watching).bytes);
    expect(seen.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'ADDED one',
      'ADDED two',
    ]);
    const [refused, ...more] = events((await watch(metadata.resourceVersion)).bytes);
    expect(refused).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(more).toEqual([]);
    // Objects are as the new schema has them, at unchanged versions.
    const { items } = (await server.send('GET', things())).object;
    expect(items.map((item: { spec: object }) => item.spec)).toEqual([{}, {}]);
    expect(items[0].metadata.resourceVersion).toBe(seen[0].object.metadata.resourceVersion);
  });

  it('show new defaults in lists at once', async () => {
    await server.define([version('v1', { a: STRING })]);
    const { metadata } = await create('one');
    await server.redefine({
      spec: { versions: [{ ...version('v1', { a: { type: 'string', default: 'set' } }), storage: true }] },
    });
    await vi.waitFor(async () => {
      const [item] = (await server.send('GET', things())).object.items;
      expect(item.spec).toEqual({ a: 'set' });
      expect(item.metadata.resourceVersion).toBe(metadata.resourceVersion);
    });
  });

  it('refuse objects whose defaults are too large, without making them', async () => {
    const item = (text: string) => ({
      type: 'object',
      properties: {
        p: { type: 'string', default: text },
        l: { type: 'array', items: STRING, default: [text] },
      },
    });
    await server.define([version('v1', { list: { type: 'array', items: item('x'.repeat(500_000)) } })]);
    const refused = await server.send('POST', things(), thing('large', { list: [{}, {}, {}, {}, {}] }));
    expect(refused.object).toMatchObject({ code: 413, message: 'the defaults of the object are too large' });
    expect((await server.send('POST', things(), thing('fits', { list: [{}] }))).status).toBe(201);
  });

  it('refuse new objects while the definition is deleted', async () => {
    await server.define([version('v1')]);
    const { status } = await server.send('POST', things(), {
      ...thing('held'),
      metadata: { name: 'held', finalizers: ['example.com/hold'] },
    });
    expect(status).toBe(201);
    await server.send('DELETE', `${DEFINITIONS}/things.example.com`);
    await vi.waitFor(async () => {
      const refused = await server.send('POST', things(), thing('late'));
      expect(refused.object).toMatchObject({
        code: 405,
        message: 'create not allowed while custom resource definition is terminating',
      });
    });
    const applied = await server.send('PATCH', `${things('later')}?fieldManager=m`, thing('later'), APPLY);
    expect(applied.status).toBe(405);
    expect((await server.send('GET', things('held'))).status).toBe(200);
    const held = await server.send('PATCH', `${things('held')}?fieldManager=m`, thing('held'), APPLY);
    expect(held.status).toBe(200);
  });

  it('report a definition that cannot be read, and serve the others', async () => {
    await server.define([version('v1')]);
    await storage.transact({
      key: '/registry/apiextensions.k8s.io/customresourcedefinitions/broken.example.com',
      expected: 0,
      value: Buffer.from('{"kind":"CustomResourceDefinition","spec"'),
    });
    await vi.waitFor(() =>
      expect(server.log.join()).toContain(
        'failed to read CustomResourceDefinition; requests for its objects fail',
      ),
    );
    expect((await server.send('GET', things())).status).toBe(200);
  });
});

describe('at the start', () => {
  it('all stored definitions are served, and no converter is called', async () => {
    await server.define([version('v1', { a: STRING })]);
    await create('one', { a: 'x' });
    const calls: string[] = [];
    const restarted = await servedDefinitions(storage, {
      loops: false,
      createConverter: (name) => {
        calls.push(name);
        return {
          convert: () => Promise.reject(new Error('called')),
          retire: () => undefined,
          close: () => undefined,
        };
      },
    });
    expect((await restarted.send('GET', things('one'))).object.spec).toEqual({ a: 'x' });
    expect(calls).toEqual([]);
    restarted.customResources.stop();
    restarted.resources.close();
  });

  it('they are served when the server is ready', async () => {
    const directory = new TemporaryDirectory();
    const options = {
      storageBackend: 'embedded',
      dataDir: directory.path('data'),
      controllers: ['-*'],
    } as const;
    const first = await startCluster(options);
    const path = '/apis/example.com/v1/namespaces/default/things';
    for (const name of ['things', 'others']) {
      const names = { plural: name, kind: name === 'things' ? 'Thing' : 'Other' };
      const body = { ...definition([version('v1')], { names }), metadata: { name: `${name}.example.com` } };
      expect((await first.fetch(DEFINITIONS, { method: 'POST', body })).status).toBe(201);
      await vi.waitFor(async () =>
        expect((await first.fetch(path.replace('things', name))).status).toBe(200),
      );
    }
    await first.stop();
    await using second = await startCluster(options);
    const statuses = await Promise.all(
      ['/readyz', path, path.replace('things', 'others')].map(
        async (one) => (await second.fetch(one)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200]);
    directory.remove();
  });
});

describe('converters', () => {
  it('are retired when a change of the spec replaces them, and closed at the end', async () => {
    const retired: number[] = [];
    const closed: number[] = [];
    let count = 0;
    const converting = await servedDefinitions(createMemoryStorage(), {
      createConverter: () => {
        const id = ++count;
        return {
          convert: async (objects) => [...objects],
          retire: () => retired.push(id),
          close: () => closed.push(id),
        };
      },
    });
    const conversion = (url: string) => ({
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url } },
    });
    await converting.define([version('v1')], { conversion: conversion('https://127.0.0.1:1/') });
    const made = count;
    await converting.redefine({ spec: { conversion: conversion('https://127.0.0.1:2/') } });
    await vi.waitFor(() => expect(retired).toContain(made));
    await converting.stop();
    expect(closed).toEqual([count]);
  });
});
