import { describe, expect, it } from 'vitest';
import { mergeParts } from '../../../src/handlers/endpoints/openapi-remote.ts';

const part = (definitions: Record<string, object>, paths: Record<string, object> = {}) => ({
  paths: paths as never,
  definitions: definitions as never,
  parameters: {},
});
const reference = (name: string) => ({ $ref: `#/definitions/${name}` });
const pause = async () => undefined;

describe('version 2 documents of extension servers', () => {
  it('share equal definitions, and rename others with references to them', async () => {
    const own = new Map([['Time', { type: 'string', format: 'date-time' }]]);
    const { definitions, paths } = await mergeParts(
      [
        part(
          { Time: { type: 'integer' }, Thing: { properties: { at: reference('Time') } } },
          { '/a': { get: { operationId: 'list', schema: reference('Time') } } },
        ),
        part(
          { Time: { format: 'date-time', type: 'string' }, Thing: { properties: { at: reference('Time') } } },
          {
            '/a': { get: { operationId: 'ignored' } },
            '/b': { get: { operationId: 'list', schema: reference('Thing') } },
          },
        ),
        part({ Time: { type: 'integer' } }, { '/c': { get: { schema: reference('Time') } } }),
      ],
      (name) => own.get(name),
      pause,
    );
    expect(Object.fromEntries(definitions)).toEqual({
      Time_v2: { type: 'integer' },
      Thing: { properties: { at: reference('Time_v2') } },
      Thing_v2: { properties: { at: reference('Time') } },
    });
    expect(Object.fromEntries(paths)).toEqual({
      '/a': { get: { operationId: 'list', schema: reference('Time_v2') } },
      '/b': { get: { operationId: 'list_v2', schema: reference('Thing_v2') } },
      '/c': { get: { schema: reference('Time_v2') } },
    });
  });

  it('share definitions that differ in the kinds they belong to', async () => {
    const kinds = (kind: string) => ({ type: 'object', 'x-kubernetes-group-version-kind': [{ kind }] });
    const { definitions } = await mergeParts([part({ Options: kinds('A') })], () => kinds('B'), pause);
    expect(definitions.size).toBe(0);
  });
});
