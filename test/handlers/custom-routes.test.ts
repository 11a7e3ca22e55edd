import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import {
  APPLY,
  MERGE,
  type ServedDefinitions,
  servedDefinitions,
  version,
} from '../extensions/custom-resources/served-definitions.ts';

const ALL = '/apis/example.com/v1/things';
const NAMESPACED = '/apis/example.com/v1/namespaces/default/things';
const thing = (name: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'default' },
});

let server: ServedDefinitions;
beforeAll(async () => {
  server = await servedDefinitions(createMemoryStorage());
  await server.define([version('v1', {}, { subresources: { status: {} } })]);
  expect((await server.send('POST', NAMESPACED, thing('one'))).status).toBe(201);
});
afterAll(() => server.stop());

const status = async (method: string, path: string, body?: object, type?: string) => {
  const answer = await server.send(method, path, body, type, 'text/plain, application/json');
  const text = answer.bytes.toString();
  return text.startsWith('{') ? [answer.status, JSON.parse(text).message] : [answer.status, text.trim()];
};

describe('paths of custom resources', () => {
  it('without a namespace are for lists and watches of namespaced kinds', async () => {
    expect((await status('GET', ALL))[0]).toBe(200);
    expect((await status('GET', `${ALL}/one`))[0]).toBe(404);
    expect((await status('POST', ALL, thing('two')))[0]).toBe(404);
    expect((await status('DELETE', ALL))[0]).toBe(404);
  });

  it('do not have a namespace for kinds of the cluster', async () => {
    const cluster = await servedDefinitions(createMemoryStorage());
    await cluster.define([version('v1')], { scope: 'Cluster' });
    expect((await cluster.send('POST', ALL, { ...thing('one'), metadata: { name: 'one' } })).status).toBe(
      201,
    );
    expect((await cluster.send('GET', `${ALL}/one`)).status).toBe(200);
    expect((await cluster.send('GET', NAMESPACED, undefined, undefined, 'text/plain')).status).toBe(404);
    await cluster.stop();
  });

  it('are served by their verb, whatever their form', async () => {
    expect(await status('PUT', NAMESPACED, thing('one'))).toEqual([400, 'name must be provided']);
    expect(await status('PATCH', NAMESPACED, {}, MERGE)).toEqual([400, 'name must be provided']);
    expect((await status('PATCH', `${NAMESPACED}/applied?fieldManager=m`, thing('applied'), APPLY))[0]).toBe(
      201,
    );
  });

  it('have the declared subresources only', async () => {
    expect((await status('GET', `${NAMESPACED}/one/status`))[0]).toBe(200);
    expect((await status('DELETE', `${NAMESPACED}/one/status`))[0]).toBe(405);
    for (const rest of ['scale', 'odd', 'status/more', '__proto__', 'constructor'])
      expect((await status('GET', `${NAMESPACED}/one/${rest}`))[0], rest).toBe(404);
  });

  it('of unknown resources, versions and names from prototypes are not found', async () => {
    for (const path of [
      '/apis/example.com/v1/namespaces/default/others',
      '/apis/example.com/v9/namespaces/default/things',
      '/apis/example.com/__proto__/namespaces/default/things',
      '/apis/__proto__/v1/namespaces/default/things',
      '/apis/example.com/v1/namespaces/default/constructor',
    ])
      expect((await status('GET', path))[0], path).toBe(404);
  });
});
