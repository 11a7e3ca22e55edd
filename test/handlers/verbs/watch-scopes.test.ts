import { expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { turnsUntil } from '../../cache/support.ts';
import { smallServer } from '../../support/small-server.ts';

const CASES: readonly (readonly [path: string, selector: string, events: readonly string[]])[] = [
  ['configmaps', '', ['n/a', 'n/b', 'm/a', 'm/b']],
  ['configmaps', 'metadata.name=a', ['n/a', 'm/a']],
  ['configmaps', 'metadata.name!=a', ['n/b', 'm/b']],
  ['configmaps', 'metadata.namespace=n', ['n/a', 'n/b']],
  ['configmaps', 'metadata.namespace!=n', ['m/a', 'm/b']],
  ['configmaps', 'metadata.namespace=n,metadata.name=b', ['n/b']],
  ['configmaps', 'metadata.namespace=n,metadata.namespace=m', []],
  ['configmaps', 'metadata.namespace=n/a', []],
  ['configmaps', 'metadata.namespace=', []],
  ['namespaces/n/configmaps', 'metadata.name=a', ['n/a']],
  ['namespaces/n/configmaps', 'metadata.namespace=m', []],
];

it('delivers the events that fit a name and a namespace, also in watches of all namespaces', async () => {
  const server = smallServer({ storage: createMemoryStorage() });
  const first = await server.send('POST', '/api/v1/namespaces/other/configmaps', { metadata: { name: 'o' } });
  const { resourceVersion } = first.object.metadata;
  const { cache } = server.resources.serve(server.resources.served.find('', 'v1', 'configmaps')!);
  const opened = vi.spyOn(cache, 'watch');
  for (const initial of [false, true]) {
    opened.mockClear();
    if (initial) await server.send('DELETE', '/api/v1/namespaces/other/configmaps/o');
    const from = initial ? '' : `&resourceVersion=${resourceVersion}`;
    const watches = CASES.map(([path, selector]) =>
      server.send('GET', `/api/v1/${path}?watch=1&fieldSelector=${encodeURIComponent(selector)}${from}`),
    );
    await turnsUntil(() => opened.mock.calls.length === CASES.length);
    const root = '/registry/configmaps/';
    const scopes = opened.mock.calls.map(([{ prefix, key, query }]) => [key ?? prefix, query?.value]);
    expect(scopes).toContainEqual([root, 'a']);
    expect(scopes).toContainEqual([`${root}n/`, undefined]);
    expect(scopes).toContainEqual([`${root}n/b`, undefined]);
    if (!initial)
      for (const at of ['n/a', 'n/b', 'm/a', 'm/b']) {
        const [namespace, name] = at.split('/');
        await server.send('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name } });
      }
    await turnsUntil(() => cache.hasDelivered);
    cache.endWatches();
    const seen = (await Promise.all(watches)).map(({ bytes }) =>
      bytes
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).object.metadata)
        .map(({ namespace, name }) => `${namespace}/${name}`),
    );
    // Initial objects come in the order of their keys.
    const ordered = (events: readonly string[]) => (initial ? [...events].sort() : events);
    expect(CASES.map(([path, selector], at) => [path, selector, seen[at]])).toEqual(
      CASES.map(([path, selector, events]) => [path, selector, ordered(events)]),
    );
  }
  await server.close();
});
