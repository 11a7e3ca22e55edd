import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitionOf } from '../controllers/definitions.ts';
import { BuiltServer } from './support/built-server.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ROUNDS = 3;
const WRITERS = 8;
/** Acknowledged objects after which the server is killed. */
const OBJECTS = 120;

interface Stored {
  metadata: { name: string };
  spec?: { round: number };
  status?: { conditions?: { type: string; status: string }[] };
}

const isEstablished = ({ status }: Stored): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') ?? false;
const pathOf = (plural: string): string => `/apis/example.com/v1/namespaces/default/${plural}`;

describe('a server that is killed while definitions and objects are written', () => {
  const server = new BuiltServer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  it('loses nothing that was acknowledged, and serves every established kind when it is ready', async () => {
    /** Acknowledged: `spec.round` of the objects of each established kind, by name. */
    const objects = new Map<string, Map<string, number>>();
    const removed = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      await writeAndKill(round, objects, removed);
      await server.start();
      expect((await server.request('/readyz')).status).toBe(200);
      const { items } = await server.json<{ items: Stored[] }>('GET', DEFINITIONS);
      const established = new Set(items.filter(isEstablished).map(({ metadata }) => metadata.name));
      const answers = await Promise.all(
        [...established].map((name) => server.request(pathOf(name.slice(0, name.indexOf('.'))))),
      );
      expect(answers.map(({ status }) => status)).toEqual([...established].map(() => 200));
      const lost: string[] = [];
      for (const [plural, known] of objects) {
        if (!established.has(`${plural}.example.com`)) {
          lost.push(plural);
          continue;
        }
        const found = new Map(
          (await server.json<{ items: Stored[] }>('GET', pathOf(plural))).items.map(({ metadata, spec }) => [
            metadata.name,
            spec!.round,
          ]),
        );
        // An unacknowledged update may have been stored.
        for (const [name, value] of known)
          if (found.get(name) === undefined || found.get(name)! < value) lost.push(`${plural}/${name}`);
      }
      expect(lost).toEqual([]);
      const present = new Set(items.map(({ metadata }) => metadata.name));
      // The removal of an acknowledged deletion may still be in progress.
      await expect
        .poll(async () => {
          for (const name of removed)
            if ((await server.request(`${DEFINITIONS}/${name}`)).status === 404) present.delete(name);
          return [...removed].filter((name) => present.has(name));
        })
        .toEqual([]);
    }
  });

  /** Creates, uses and removes kinds in parallel until the server is killed. */
  async function writeAndKill(
    round: number,
    objects: Map<string, Map<string, number>>,
    removed: Set<string>,
  ): Promise<void> {
    let killed: Promise<unknown> | undefined;
    let acknowledged = 0;
    const writer = async (number: number): Promise<void> => {
      for (let turn = 0; ; turn += 1) {
        const plural = `kinds-${round}-${number}-${turn}`;
        const kind = `Kind${round}x${number}x${turn}`;
        try {
          await server.json('POST', DEFINITIONS, definitionOf(plural, kind));
          while ((await server.request(pathOf(plural))).status === 404);
          const known = new Map<string, number>();
          for (const name of ['a', 'b', 'c']) {
            const object = { apiVersion: 'example.com/v1', kind, metadata: { name }, spec: { round: 1 } };
            await server.json('POST', pathOf(plural), object);
            known.set(name, 1);
            // The kind is established: its objects could be created.
            objects.set(plural, known);
            await server.json('PUT', `${pathOf(plural)}/${name}`, await changed(plural, name));
            known.set(name, 2);
            acknowledged += 1;
          }
          if (turn % 3 === 2) {
            // The outcome of this write is unknown until the response.
            objects.delete(plural);
            await server.json('DELETE', `${DEFINITIONS}/${plural}.example.com`);
            removed.add(`${plural}.example.com`);
          }
        } catch (error) {
          if (killed === undefined) throw error;
          return;
        }
        if (acknowledged >= OBJECTS) killed ??= server.end('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
    await killed;
  }

  async function changed(plural: string, name: string): Promise<object> {
    return { ...(await server.json<Stored>('GET', `${pathOf(plural)}/${name}`)), spec: { round: 2 } };
  }
});
