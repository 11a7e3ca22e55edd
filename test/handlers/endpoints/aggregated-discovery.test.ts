import { describe, expect, it } from 'vitest';
import { AggregatedDocuments } from '../../../src/handlers/endpoints/aggregated-discovery.ts';
import { aggregated } from '../../../src/handlers/endpoints/discovery-documents.ts';
import { resourceSetSource } from '../../../src/handlers/endpoints/discovery-source.ts';
import { builtinResourceSet } from '../../../src/registry/builtin-resources.ts';

import { rowOf } from '../../support/builtin-resources.ts';

describe('aggregated discovery', () => {
  it('is the same from fragments as in one piece, after every change', () => {
    const resources = builtinResourceSet();
    const source = resourceSetSource(resources);
    const documents = new AggregatedDocuments();
    const check = () => {
      const groups = source.groups();
      documents.retain(new Map(groups.map((group) => [group.group, group])));
      for (const version of ['v2', 'v2beta1'] as const)
        expect(JSON.parse(documents.json(groups, version))).toEqual(aggregated(groups, version));
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
});
