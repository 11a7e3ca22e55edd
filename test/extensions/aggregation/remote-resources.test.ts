import { describe, expect, it } from 'vitest';
import { readAggregated, readResourceList } from '../../../src/extensions/aggregation/remote-resources.ts';

describe('discovery documents of extension servers', () => {
  it('are read in the aggregated form', () => {
    const resource = {
      resource: 'things',
      responseKind: { group: 'g.test', version: 'v1', kind: 'Thing' },
      scope: 'Cluster',
      singularResource: 'thing',
      verbs: ['get'],
      shortNames: ['t'],
      subresources: [
        { subresource: 'status', responseKind: { group: '', version: '', kind: 'Thing' }, verbs: ['get'] },
      ],
    };
    const document = {
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          metadata: { name: 'g.test' },
          versions: [{ version: 'v1', resources: [{ ...resource, unknown: 1 }] }, { version: 'v2' }],
        },
      ],
    };
    expect(readAggregated(document)).toEqual(
      new Map([
        ['g.test/v1', [resource]],
        ['g.test/v2', []],
      ]),
    );
    expect(readAggregated({ kind: 'APIGroupList', groups: [] })).toBeUndefined();
  });

  it('are read in the older form, with subresources below their resources', () => {
    const entry = { singularName: '', namespaced: true, verbs: ['get'] };
    const document = {
      kind: 'APIResourceList',
      resources: [
        { ...entry, name: 'things/scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
        { ...entry, name: 'things', singularName: 'thing', kind: 'Thing', categories: ['all'] },
      ],
    };
    expect(readResourceList(document)).toEqual([
      {
        resource: 'things',
        responseKind: { group: '', version: '', kind: 'Thing' },
        scope: 'Namespaced',
        singularResource: 'thing',
        verbs: ['get'],
        categories: ['all'],
        subresources: [
          {
            subresource: 'scale',
            responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: ['get'],
          },
        ],
      },
    ]);
  });

  it('may contain anything', () => {
    for (const document of [undefined, null, 1, 'x', [], {}, { kind: 'APIResourceList', resources: 1 }])
      expect(() => [readAggregated(document), readResourceList(document)]).not.toThrow();
    expect(
      readResourceList({ kind: 'APIResourceList', resources: [null, { name: 1, verbs: [1, 'get'] }] }),
    ).toEqual([expect.objectContaining({ resource: '', verbs: ['get'] })]);
    const hostile = JSON.parse(
      '{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"__proto__"},"versions":[{"version":"v1"}]}]}',
    );
    expect([...readAggregated(hostile)!.keys()]).toEqual(['__proto__/v1']);
  });
});
