import { describe, expect, it } from 'vitest';
import { AggregatedDocuments } from '../../../src/handlers/endpoints/aggregated-discovery.ts';
import { aggregated } from '../../../src/handlers/endpoints/discovery-documents.ts';
import { resourceSetSource } from '../../../src/handlers/endpoints/discovery-source.ts';
import { builtinResourceSet } from '../../support/builtin-kinds.ts';

import { rowOf } from '../../support/builtin-resources.ts';

describe('aggregated discovery', () => {
  it('is the same from fragments as in one piece, after every change', () => {
    const resources = builtinResourceSet();
    const source = resourceSetSource(resources);
    const documents = new AggregatedDocuments({ creationTimestamp: null });
    const check = () => {
      const groups = source.groups();
      documents.retain(new Map(groups.map((group) => [group.group, group])));
      for (const version of ['v2', 'v2beta1'] as const)
        expect(JSON.parse(documents.json(groups, version))).toEqual(
          aggregated(groups, version, { creationTimestamp: null }),
        );
    };
    const rows = ['v1', 'v1beta1'].map((version) =>
      rowOf('example.com', version, 'widgets', 'Widget', { shortNames: ['<w>'] }),
    );
    check();
    resources.change({ add: rows });
    check();
    resources.change({ remove: [rows[1]!] });
    check();
    resources.change({ add: [rowOf('example.com', 'v1', 'widgets', 'Widget', { categories: ['all'] })] });
    check();
    resources.change({ remove: [resources.find('example.com', 'v1', 'widgets')!] });
    check();
  });

  it('names the kinds of custom resources with their group and version', () => {
    const scale = { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: [] };
    const status = { name: 'status', kind: 'Widget', group: undefined, version: undefined, verbs: [] };
    const plain = {
      ...rowOf('example.com', 'v1', 'widgets', 'Widget', {}),
      subresources: [status, scale],
    };
    const kindsOf = (row: Omit<typeof plain, 'customKind'> & { customKind?: object }) => {
      const group = {
        group: 'example.com',
        versions: [{ version: 'v1', resources: [row], freshness: 'Current' as const }],
      };
      const { items } = aggregated([group], 'v2', {}) as {
        items: { versions: { resources: { responseKind: object; subresources: object[] }[] }[] }[];
      };
      const [found] = items[0]!.versions[0]!.resources;
      return [
        found!.responseKind,
        ...found!.subresources.map((one) => 'responseKind' in one && one.responseKind),
      ];
    };
    const own = { group: 'example.com', version: 'v1', kind: 'Widget' };
    const other = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    expect(kindsOf({ ...plain, customKind: {} })).toEqual([own, own, other]);
    const unnamed = { group: '', version: '', kind: 'Widget' };
    expect(kindsOf(plain)).toEqual([unnamed, unnamed, other]);
  });
});
