import { expect, vi } from 'vitest';
import { ownOperation } from '../../../src/composition/definition-loops.ts';
import { CustomResources } from '../../../src/extensions/custom-resources/custom-resources.ts';
import type { ConverterFactory } from '../../../src/extensions/custom-resources/defined-kind.ts';
import { startDefinitionLoops } from '../../../src/extensions/custom-resources/definitions/index.ts';
import { type Scheme, schemeOf } from '../../../src/model/scheme.ts';
import { Readers } from '../../../src/reader/readers.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { ManualClock, settle } from '../../reconcile/manual-clock.ts';
import { bothClocks } from '../../support/both-clocks.ts';
import { loopTurns } from '../../support/loop-turns.ts';
import { smallServer } from '../../support/small-server.ts';

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const MERGE = 'application/merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

/** A version of a definition. */
export const version = (name: string, spec: object = {}, more: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
  ...more,
});

/** A definition of `Thing` in example.com; its first version is the stored one. */
export const definition = (versions: readonly object[], spec: object = {}) => ({
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: versions.map((one, index) => ({ ...one, storage: index === 0 })),
    ...spec,
  },
});

/** The router over a store, with what serves definitions and, unless it only reads, their control loops. */
export async function servedDefinitions(
  storage: Storage,
  {
    createConverter = () => refusing,
    loops: runsLoops = true,
    scheme = schemeOf(),
  }: { createConverter?: ConverterFactory; loops?: boolean; scheme?: Scheme } = {},
) {
  const server = smallServer({ storage, scheme });
  const log: string[] = [];
  const write = (message: string, fields?: { err?: string }) => log.push(`${message}: ${fields?.err ?? ''}`);
  const logger = { detail: () => undefined, warn: write, error: write } as never;
  const clock = new ManualClock();
  const loops = runsLoops
    ? startDefinitionLoops({
        resources: server.resources,
        readers: new Readers({ resources: server.resources, clock, logger }),
        storage,
        operation: ownOperation(server.operations, loopTurns(), scheme),
        ...bothClocks(clock),
        logger,
      })
    : undefined;
  const customResources = new CustomResources({
    resources: server.resources,
    logger,
    createConverter,
    has: scheme.has,
  });
  await customResources.start();
  return {
    ...server,
    customResources,
    log,
    /** Creates a definition, and waits until its objects are served. */
    async define(versions: readonly object[], spec: object = {}): Promise<void> {
      const created = await server.send('POST', DEFINITIONS, definition(versions, spec));
      expect(created.object).toMatchObject({ metadata: { name: 'things.example.com' } });
      const path = `/apis/example.com/${(versions[0] as { name: string }).name}/things`;
      await vi.waitFor(async () => expect((await server.send('GET', path)).status).toBe(200));
    },
    /** Merges into the definition, and waits until nothing of it is to be written any more. */
    async redefine(patch: object): Promise<void> {
      const { status, object } = await server.send(
        'PATCH',
        `${DEFINITIONS}/things.example.com`,
        patch,
        MERGE,
      );
      expect(object).toMatchObject({ metadata: { name: 'things.example.com' } });
      expect(status).toBe(200);
    },
    /** Lets the clean-up of a definition reach its next check. */
    async pass(milliseconds: number): Promise<void> {
      await settle();
      clock.advance(milliseconds);
      await settle();
    },
    async stop(): Promise<void> {
      customResources.stop();
      await loops?.stop();
      await server.close();
    },
  };
}

/** A converter that always fails. */
export const refusing = {
  convert: () => Promise.reject(new Error('no converter')),
  retire: () => undefined,
  close: () => undefined,
};

export type ServedDefinitions = Awaited<ReturnType<typeof servedDefinitions>>;
