import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DefinedKind } from '../../../src/extensions/custom-resources/defined-kind.ts';
import { collect } from '../../support/retained.ts';
import { definition, refusing, version } from './served-definitions.ts';

it('retains no schema before its objects are used', async () => {
  const schemas: WeakRef<object>[] = [];
  const read = () => {
    const read = definition([version('v1', { size: { type: 'integer' } }), version('v2')]);
    for (const { schema } of read.spec.versions as unknown as { schema: object }[])
      schemas.push(new WeakRef(schema));
    return read;
  };
  const kind = new DefinedKind(read(), read, { createConverter: () => refusing });
  const resources = kind.resources(read(), '', 0);
  expect(resources.map(({ row }) => row.version)).toEqual(['v1', 'v2']);
  expect(resources[0]!.row.customKind!.hash).not.toBe(resources[1]!.row.customKind!.hash);
  await setImmediate();
  collect();
  expect(schemas.map((one) => one.deref())).toEqual(schemas.map(() => undefined));
  expect(resources[0]!.schema.structure).toBeDefined();
});
