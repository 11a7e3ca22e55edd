import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../../src/storage/memory/memory-storage.ts';
import {
  DEFINITIONS,
  MERGE,
  type ServedDefinitions,
  servedDefinitions,
  version,
} from '../served-definitions.ts';

const DEFINITION = `${DEFINITIONS}/things.example.com`;
const V1BETA1 = { apiVersion: 'apiextensions.k8s.io/v1beta1' };

describe('a patch of a definition that names v1beta1', () => {
  let server: ServedDefinitions;
  beforeEach(async () => {
    server = await servedDefinitions(createMemoryStorage());
    await server.define([version('v1')]);
  });
  afterEach(() => server.stop());

  const causes = async (patch: object): Promise<unknown> => {
    const { status, object } = await server.send('PATCH', DEFINITION, patch, MERGE);
    expect(status).toBe(422);
    expect(object.details).toMatchObject({ kind: 'CustomResourceDefinition', name: 'things.example.com' });
    return object.details.causes.map(({ field, message }: Record<string, string>) => [
      field,
      message!.replace(/^Invalid value: .*: /, ''),
    ]);
  };

  it('is read in that version, which has its own defaults and rules', async () => {
    expect(await causes(V1BETA1)).toEqual([
      [
        'spec.versions',
        'per-version schemas may not all be set to identical values (top-level validation should be used instead)',
      ],
      ['spec.preserveUnknownFields', 'must be false'],
    ]);
    const versions = [{ ...version('v1', {}, { subresources: { status: {} } }), storage: true }];
    expect(await causes({ ...V1BETA1, spec: { preserveUnknownFields: false, versions } })).toEqual([
      ['spec.versions', expect.stringMatching(/^per-version schemas/)],
      ['spec.versions', expect.stringMatching(/^per-version subresources/)],
    ]);
  });

  it('is converted if it is valid there', async () => {
    const openAPIV3Schema = { type: 'object', description: 'shared' };
    const { status, object } = await server.send(
      'PATCH',
      DEFINITION,
      {
        ...V1BETA1,
        spec: {
          preserveUnknownFields: false,
          validation: { openAPIV3Schema },
          versions: [{ name: 'v1', served: true, storage: true }],
        },
      },
      MERGE,
    );
    expect([status, object.apiVersion]).toEqual([200, 'apiextensions.k8s.io/v1']);
    expect(object.spec.versions).toEqual([
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } },
    ]);
  });
});
