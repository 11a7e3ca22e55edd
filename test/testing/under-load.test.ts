import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { collect } from '../support/retained.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}
const list = async (cluster: TestCluster): Promise<List> =>
  (await (await cluster.fetch(MAPS)).json()) as List;
const names = ({ items }: List): string[] => items.map(({ metadata }) => metadata.name).sort();

/** A turn of the event loop, which requests without a socket do not take. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Forks to make and drop; `BINNACLE_FORKS=10000` is what is run by hand. */
const FORKS = Number(process.env['BINNACLE_FORKS'] ?? 100);

describe('forks and resets under load', () => {
  let parent: TestCluster;
  beforeAll(async () => {
    parent = await startCluster({ controllers: ['-*'] });
  });
  afterAll(() => parent.stop());

  it('has the state of one moment, while its parent is written and watched', async () => {
    const watch = await parent.fetch(`${MAPS}?watch=1`);
    let isOver = false;
    const writes = (async () => {
      for (let index = 0; !isOver; index += 1) {
        const body = { metadata: { name: `w${String(index).padStart(6, '0')}` } };
        expect((await parent.fetch(MAPS, { method: 'POST', body })).status).toBe(201);
        await turn();
      }
    })();
    for (let round = 0; round < 10; round += 1) {
      const fork = await parent.fork();
      const written = names(await list(fork)).filter((name) => name.startsWith('w'));
      // What was written one after the other is there without a gap.
      expect(written).toEqual(written.map((_, index) => `w${String(index).padStart(6, '0')}`));
      const again = await fork.fork();
      expect(names(await list(again))).toEqual(names(await list(fork)));
      await again.stop();
      await fork.stop();
    }
    isOver = true;
    await writes;
    await watch.body!.cancel();
  });

  it('takes its first state, while it is written; a client that lists and watches follows it', async () => {
    const fork = await parent.fork();
    const first = names(await list(fork));
    let isOver = false;
    const versions: number[] = [];
    /** What an informer does: lists, watches from there, and lists again after 410. */
    const known = new Set<string>();
    const follow = (async () => {
      while (!isOver) {
        await turn();
        const response = await fork.fetch(MAPS);
        if (response.status !== 200) continue;
        const { metadata, items } = (await response.json()) as List;
        versions.push(Number(metadata.resourceVersion));
        known.clear();
        for (const one of items) known.add(one.metadata.name);
        const watch = await fork.fetch(
          `${MAPS}?watch=1&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`,
        );
        for (const line of (await watch.text()).split('\n').filter((text) => text.startsWith('{'))) {
          const { type, object } = JSON.parse(line) as {
            type: string;
            object: { metadata: { name: string } };
          };
          if (type === 'ERROR') break;
          if (type === 'DELETED') known.delete(object.metadata.name);
          else known.add(object.metadata.name);
        }
      }
    })();
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          fork.fetch(MAPS, { method: 'POST', body: { metadata: { name: `r${round}-${index}` } } }),
        ),
      );
      await fork.reset();
    }
    await fork.fetch(MAPS, { method: 'POST', body: { metadata: { name: 'last' } } });
    await expect.poll(() => [...known].sort(), { timeout: 20_000 }).toEqual([...first, 'last'].sort());
    isOver = true;
    await follow;
    expect(versions).toEqual([...versions].sort((left, right) => left - right));
    await fork.stop();
  });

  it(`gives back what ${FORKS} forks took that were made and dropped`, async () => {
    let finalized = 0;
    const registry = new FinalizationRegistry(() => {
      finalized += 1;
    });
    const make = async (): Promise<void> => {
      const fork = await parent.fork();
      registry.register(fork, undefined);
      await list(fork);
      await fork.stop();
    };
    for (let index = 0; index < FORKS; index += 1) await make();
    await expect
      .poll(
        async () => {
          collect();
          await turn();
          return finalized;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(FORKS * 0.9);
  });
});
