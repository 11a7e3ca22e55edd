import { describe, expect, it } from 'vitest';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf } from '../run-strategy.ts';

const apiextensions = strategiesOf('apiextensions.k8s.io');

describe('deeply nested schemas', () => {
  const definition = (depth: number) => {
    let schema: object = { type: 'object' };
    for (let level = 0; level < depth; level += 1) schema = { type: 'object', properties: { a: schema } };
    const names = { plural: 'as', kind: 'A', singular: 'a', listKind: 'AList' };
    return {
      metadata: { name: 'as.example.test' },
      spec: {
        group: 'example.test',
        scope: 'Cluster',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
      status: { storedVersions: ['v1'] },
    };
  };
  const strategy = apiextensions['customresourcedefinitions']!;

  it('rejects them without traversing them', () => {
    expect(strategy.validate!(definition(400), contextOf())).toEqual([]);
    expect(strategy.validate!(definition(20_000), contextOf())).toEqual([
      {
        type: 'FieldValueForbidden',
        field: 'spec.versions[0].schema.openAPIV3Schema',
        body: 'Forbidden: schemas must not be nested more than 500 levels deep',
      },
    ]);
  });
});
