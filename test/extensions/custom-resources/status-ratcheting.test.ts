import { expect, it, vi } from 'vitest';
import { loadScheme } from '../../../src/model/scheme.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { MERGE, servedDefinitions, version } from './served-definitions.ts';

const THINGS = '/apis/example.com/v1/namespaces/default/things';
const statusOf = (a: object) => ({
  type: 'object',
  properties: { a: { type: 'string', ...a }, b: { type: 'string' } },
});
const schema = (spec: object, status: object) => ({
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' } }, ...spec }, status },
    },
  },
});

it.each([
  ['1.32', 422, 422, []],
  ['1.33', 200, 422, ['299 - "spec: Invalid value: \\"object\\": too large"']],
] as const)(
  'judges in %s what an update of the status left as it was',
  async (minor, same, other, warnings) => {
    const server = await servedDefinitions(createMemoryStorage(), { scheme: await loadScheme(minor) });
    try {
      await server.define([version('v1', {}, schema({}, statusOf({})))]);
      const metadata = { name: 'one' };
      await server.send('POST', THINGS, {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata,
        spec: { n: 9 },
      });
      const patch = (status: object, query = '?dryRun=All') =>
        server.send('PATCH', `${THINGS}/one/status${query}`, { status }, MERGE);
      expect((await patch({ a: 'long' }, '')).status).toBe(200);
      const rule = { 'x-kubernetes-validations': [{ rule: 'self.n < 5', message: 'too large' }] };
      await server.redefine({
        spec: {
          versions: [version('v1', {}, { ...schema(rule, statusOf({ maxLength: 3 })), storage: true })],
        },
      });
      await vi.waitFor(async () => expect((await patch({ a: 'other' })).status).toBe(422));
      const unchanged = await patch({ b: 'new' });
      expect([unchanged.status, unchanged.warnings]).toEqual([same, warnings]);
      expect((await patch({ a: 'changed' })).status).toBe(other);
    } finally {
      await server.stop();
    }
  },
);
