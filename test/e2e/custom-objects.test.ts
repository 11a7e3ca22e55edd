import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitionOf } from '../controllers/definitions.ts';
import { BuiltServer } from './support/built-server.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

describe('the controllers of a server with default flags', () => {
  const server = new BuiltServer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  const status = async (path: string): Promise<number> => (await server.request(path)).status;
  const gone = (path: string) => expect.poll(() => status(path)).toBe(404);
  const define = async (plural: string, kind: string): Promise<void> => {
    await server.json('POST', DEFINITIONS, definitionOf(plural, kind));
    await expect.poll(() => status(`/apis/example.com/v1/${plural}`)).toBe(200);
  };
  const custom = (namespace: string, plural: string): string =>
    `/apis/example.com/v1/namespaces/${namespace}/${plural}`;
  const create = (path: string, name: string, type: object, owner?: Stored): Promise<Stored> => {
    const { apiVersion, kind, metadata } = owner ?? {};
    const ownerReferences = metadata && [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
    return server.json('POST', path, {
      ...type,
      metadata: { name, ...(ownerReferences && { ownerReferences }) },
    });
  };
  const typeOf = (kind: string) => ({ apiVersion: 'example.com/v1', kind });

  it('collect custom objects after their owners, and the objects that custom objects own', async () => {
    await define('widgets', 'Widget');
    const [widgets, maps] = [custom('default', 'widgets'), '/api/v1/namespaces/default/configmaps'];
    const owner = await create(maps, 'owner', {});
    const widget = await create(widgets, 'owned', typeOf('Widget'), owner);
    await create(maps, 'last', {}, widget);
    await server.json('DELETE', `${maps}/owner`);
    await gone(`${widgets}/owned`);
    await gone(`${maps}/last`);
  });

  it('empty a namespace of custom objects', async () => {
    await define('gadgets', 'Gadget');
    await server.json('POST', '/api/v1/namespaces', { metadata: { name: 'leaving' } });
    for (const name of ['a', 'b', 'c']) await create(custom('leaving', 'gadgets'), name, typeOf('Gadget'));
    await server.json('DELETE', '/api/v1/namespaces/leaving');
    await gone('/api/v1/namespaces/leaving');
    expect(await server.json('GET', '/apis/example.com/v1/gadgets')).toMatchObject({ items: [] });
  });

  it('collect the dependents of objects whose definition is removed', async () => {
    await define('leavers', 'Leaver');
    await define('stayers', 'Stayer');
    const leaver = await create(custom('default', 'leavers'), 'owner', typeOf('Leaver'));
    const stayer = await create(custom('default', 'stayers'), 'owner', typeOf('Stayer'));
    await create(custom('default', 'stayers'), 'owned', typeOf('Stayer'), leaver);
    await create('/api/v1/namespaces/default/configmaps', 'kept', {}, stayer);
    await server.json('DELETE', `${DEFINITIONS}/leavers.example.com`);
    await gone(`${custom('default', 'stayers')}/owned`);
    await gone(`${DEFINITIONS}/leavers.example.com`);
    expect(await status('/api/v1/namespaces/default/configmaps/kept')).toBe(200);
  });
});
