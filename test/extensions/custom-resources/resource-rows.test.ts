import { describe, expect, it } from 'vitest';
import { customResourceRows } from '../../../src/extensions/custom-resources/resource-rows.ts';
import type { CustomResourceDefinition } from '../../../src/model/generated/apiextensions-v1.ts';
import { schemeOf } from '../../../src/model/scheme.ts';

const { has } = schemeOf();

const definition = (
  status: CustomResourceDefinition['status'] = {},
  group = 'announced.example.com',
): CustomResourceDefinition => ({
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'anns', kind: 'Ann', listKind: 'AnnList', singular: 'annie', shortNames: ['an'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        selectableFields: [{ jsonPath: '.spec.host' }],
      },
      { name: 'v1beta1', served: true, storage: false, deprecated: true },
      { name: 'v1alpha1', served: true, storage: false, deprecated: true, deprecationWarning: 'use v1' },
      { name: 'v0', served: false, storage: false },
    ],
  },
  status: {
    acceptedNames: { plural: 'anns', kind: 'Ann', singular: 'annie', categories: ['all'] },
    ...status,
  },
});
const condition = (type: string, status: string) => ({ conditions: [{ type, status }] });

describe('resource rows of a definition', () => {
  it('describe each served version with the accepted names', () => {
    const rows = customResourceRows(definition(), has);
    expect(rows.map(({ version }) => version)).toEqual(['v1', 'v1beta1', 'v1alpha1']);
    expect(rows[0]).toMatchObject({
      group: 'announced.example.com',
      resource: 'anns',
      kind: 'Ann',
      listKind: 'AnnList',
      singular: 'annie',
      namespaced: true,
      shortNames: [],
      categories: ['all'],
      verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
      fieldSelectors: ['spec.host'],
      optional: false,
      deprecationWarning: undefined,
    });
  });

  it('have the subresources of their version', () => {
    const [v1, v1beta1] = customResourceRows(definition(), has);
    const verbs = ['get', 'patch', 'update'];
    expect(v1!.subresources).toEqual([
      { name: 'status', kind: 'Ann', group: undefined, version: undefined, verbs },
      { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs },
    ]);
    expect(v1beta1!.subresources).toEqual([]);
  });

  it('share the storage, whose hash is that of the storage version', () => {
    const [v1, v1beta1] = customResourceRows(definition(), has);
    expect(v1!.storage).toMatchObject({
      prefix: 'announced.example.com/anns',
      apiVersion: 'announced.example.com/v1',
      encoding: 'json',
      versionHash: 'N7XODknJgiM=',
    });
    expect(v1beta1!.storage).toBe(v1!.storage);
  });

  it.each([
    ['newest', ['v1beta1', 'v1', 'v2alpha1', 'v1beta2'], '; use announced.example.com/v1 Ann'],
    ['older', ['v1beta1', 'v1alpha1'], ''],
    ['unserved', ['v1beta1', 'v1 unserved', 'v1beta2'], '; use announced.example.com/v1beta2 Ann'],
    ['deprecated', ['v1beta1', 'v1 deprecated'], ''],
    ['other', ['odd', 'even', 'prime'], '; use announced.example.com/even Ann'],
  ])('recommend the newest served version that is not deprecated: %s', (_name, names, recommended) => {
    const versions = names.map((text, index) => {
      const [name, mark] = text.split(' ');
      return {
        name,
        served: mark !== 'unserved',
        storage: index === 0,
        deprecated: index === 0 || mark === 'deprecated',
      };
    });
    const { spec } = definition();
    const [first] = customResourceRows({ ...definition(), spec: { ...spec, versions } } as never, has);
    expect(first!.deprecationWarning).toBe(
      `announced.example.com/${names[0]} Ann is deprecated${recommended}`,
    );
  });

  it('warn of deprecated versions', () => {
    expect(customResourceRows(definition(), has).map(({ deprecationWarning }) => deprecationWarning)).toEqual(
      [
        undefined,
        'announced.example.com/v1beta1 Ann is deprecated; use announced.example.com/v1 Ann',
        'use v1',
      ],
    );
  });

  it('permit no writes while the definition is terminating', () => {
    const verbs = (type: string, status: string) =>
      customResourceRows(definition(condition(type, status)), has)[0]!.verbs;
    expect(verbs('Terminating', 'True')).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
    expect(verbs('Terminating', 'False')).toHaveLength(8);
    expect(verbs('Established', 'True')).toHaveLength(8);
  });

  it('have the wanted names before any were accepted', () => {
    const [row] = customResourceRows(definition({ acceptedNames: { plural: '', kind: '' } }), has);
    expect([row!.resource, row!.singular, row!.shortNames]).toEqual(['anns', 'annie', ['an']]);
  });
});
