import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';
import { longestStep } from '../support/thread-time.ts';

/** A body with nearly all of its bytes in one field. */
interface FieldCase {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly create: { readonly path: string; readonly object: object } | undefined;
  make(): string;
}

/** Modules of the benchmark that searches all fields. */
interface Search {
  readonly MODEL_MODULES: string;
  fieldCases(model: unknown): Iterable<FieldCase>;
  importBundled(contents: string): Promise<unknown>;
}

/** The bound of a step is 50 ms; a machine may be slower, and the code of a test is compiled while it runs. */
const MOST_MILLISECONDS = 100;
/** A step is measured again while it is too long: a full collection of garbage can lengthen any. */
const MOST_RUNS = 8;
const SAMPLE = 40;

const IN_SCHEMA = 'v1 CustomResourceDefinition spec.versions.schema.openAPIV3Schema';
/** Shapes that once took longer. */
const KNOWN = [
  `${IN_SCHEMA}.x-kubernetes-validations.fieldPath: address`,
  `${IN_SCHEMA}.x-kubernetes-validations.fieldPath: address parts`,
  `${IN_SCHEMA}.x-kubernetes-validations: list of rule paths`,
  `${IN_SCHEMA}.properties: map of addresses to empty objects`,
  `${IN_SCHEMA}.properties: map of names to type capitals`,
  `${IN_SCHEMA}.properties: map of names to pattern names`,
  `${IN_SCHEMA}.dependencies: map of names to empty objects`,
  'v1 CustomResourceDefinition spec.versions.selectableFields.jsonPath: labels',
  'v1 CustomResourceDefinition spec.versions: list of name names',
  'v1beta1 ResourceClaim spec.devices.requests: list of name capitals',
  'v1beta1 ResourceClaim status.devices: list of driver names',
  'v1 Pod spec.initContainers: list of name names',
  'v1 Pod spec.ephemeralContainers.ports: list of containerPort negative',
];

const searchModule = (name: string): Promise<Partial<Search>> =>
  import(new URL(`../../bench/support/${name}.mjs`, import.meta.url).href);
const { fieldCases, MODEL_MODULES, importBundled } = {
  ...(await searchModule('field-cases')),
  ...(await searchModule('bundle')),
} as Search;
const all = [...fieldCases(await importBundled(MODEL_MODULES))];
const hashOf = ({ name }: FieldCase): string => createHash('sha256').update(name).digest('hex');

/** The cases whose names have the least hashes: other cases that are added or removed change few of them. */
const sample = all
  .map((one) => ({ one, hash: hashOf(one) }))
  .sort((a, b) => (a.hash < b.hash ? -1 : 1))
  .slice(0, SAMPLE)
  .map(({ one }) => one);
const known = KNOWN.map((name) => {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found;
});

describe('no step of a request with one large field takes long', () => {
  let server: SmallServer;
  beforeAll(() => {
    server = smallServer({ storage: createMemoryStorage(), everyKind: true });
  });
  afterAll(() => server.close());

  it.each([...known, ...sample])('$name', async ({ method, path, create, make }) => {
    if (create !== undefined) await server.send('POST', create.path, create.object);
    const body = make();
    const steps: number[] = [];
    do {
      steps.push(
        await longestStep(async () => {
          const { status } = await server.send(method, `${path}?dryRun=All`, body);
          expect([404, 500]).not.toContain(status);
        }),
      );
    } while (Math.min(...steps) > MOST_MILLISECONDS && steps.length < MOST_RUNS);
    expect(Math.min(...steps)).toBeLessThan(MOST_MILLISECONDS);
  });
});
