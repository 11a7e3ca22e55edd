import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DefinedKind, type DefinitionSource } from '../../../src/extensions/custom-resources/defined-kind.ts';
import type { CustomResourceDefinition } from '../../../src/model/generated/apiextensions-v1.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { loopTurns } from '../../support/loop-turns.ts';
import { collect } from '../../support/retained.ts';
import { smallServer } from '../../support/small-server.ts';
import { definition, refusing, version } from './served-definitions.ts';

const sourceOf = (read: () => CustomResourceDefinition, isLarge = false): DefinitionSource => ({
  isLarge,
  read,
  *reading() {
    yield;
    return read();
  },
});

const OPTIONS = { has: schemeOf().has, createConverter: () => refusing };

it('retains no schema before its objects are used', async () => {
  const schemas: WeakRef<object>[] = [];
  const read = () => {
    const read = definition([version('v1', { size: { type: 'integer' } }), version('v2')]);
    for (const { schema } of read.spec.versions as unknown as { schema: object }[])
      schemas.push(new WeakRef(schema));
    return read;
  };
  const kind = new DefinedKind(read(), sourceOf(read), OPTIONS);
  const resources = kind.resources(read(), '', 0);
  expect(resources.map(({ row }) => row.version)).toEqual(['v1', 'v2']);
  expect(resources[0]!.row.customKind!.hash).not.toBe(resources[1]!.row.customKind!.hash);
  await setImmediate();
  collect();
  expect(schemas.map((one) => one.deref())).toEqual(schemas.map(() => undefined));
  expect(resources[0]!.schema.structure).toBeDefined();
});

it('compiles the versions of a large definition once, before their first use', async () => {
  let reads = 0;
  const read = () => {
    reads += 1;
    return definition([version('v1', { size: { type: 'integer' } }), version('v2')]);
  };
  const source = sourceOf(read, true);
  const kind = new DefinedKind(read(), source, OPTIONS);
  const [first, second] = kind.resources(read(), '', 0);
  const turns = loopTurns();
  const pending = first!.prepare!(turns);
  expect(first!.prepare!(turns)).toBe(pending);
  await pending;
  await second!.prepare!(turns);
  expect([first!, second!].map((one) => one.prepare!(turns))).toEqual([undefined, undefined]);
  reads = 0;
  expect(first!.schema.structure!.schema.properties?.has('spec')).toBe(true);
  expect(second!.schema.structure).toBeDefined();
  expect(reads).toBe(0);
  const small = new DefinedKind(read(), sourceOf(read), OPTIONS);
  const [third] = small.resources(read(), '', 0);
  expect(third!.prepare!(turns)).toBeUndefined();
});

it('compiles nothing when a resource is found before its turn, as for an estimate of its objects', async () => {
  let reads = 0;
  const read = () => {
    reads += 1;
    return definition([version('v1', { size: { type: 'integer' } })]);
  };
  const kind = new DefinedKind(read(), sourceOf(read, true), OPTIONS);
  const storage = createMemoryStorage();
  const server = smallServer({ storage });
  server.resources.change({ add: kind.resources(read(), '', 0) });
  reads = 0;
  const found = server.resources.find('example.com', 'v1', 'things')!;
  expect(found.cache.size).toBe(0);
  expect(reads).toBe(0);
  expect(found.schema.structure).toBeDefined();
  expect(reads).toBeGreaterThan(0);
  await server.close();
});
