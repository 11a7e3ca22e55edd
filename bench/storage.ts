/**
 * Measures the stores under load: `npx tsx bench/storage.ts [directory]`. Prints changes per second and CPU
 * per change with 1, 16 and 256 writers of 1 kB values, then the cost of opening, reading, compacting and
 * delivering to many watches. The directory (default: in the system's temporary directory) selects the disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStorage } from '../src/storage/embedded/index.ts';
import { createMemoryStorage } from '../src/storage/memory/memory-storage.ts';
import { type ImmediateStorage, prefixEnd } from '../src/storage/storage.ts';

const value = new Uint8Array(1000).fill(65);
const everything = { start: '/registry/', end: prefixEnd('/registry/') };

function report(what: string, figures: Record<string, number | string>): void {
  const columns = Object.entries(figures).map(
    ([name, figure]) => `${name} ${typeof figure === 'number' ? Number(figure.toPrecision(3)) : figure}`,
  );
  process.stdout.write(`${what.padEnd(34)}${columns.join('   ')}\n`);
}

async function timed(what: string, run: () => unknown): Promise<void> {
  const started = performance.now();
  await run();
  report(what, { ms: performance.now() - started });
}

/** Each writer updates its own keys sequentially. */
async function load(
  name: string,
  storage: ImmediateStorage,
  writers: number,
  changes: number,
): Promise<void> {
  const latencies: number[] = [];
  const write = async (writer: number) => {
    const revisions = new Map<string, number>();
    for (let round = 0; round < changes / writers; round += 1) {
      const key = `/registry/pods/load-${writers}/pod-${writer}-${round % 20}`;
      const started = performance.now();
      const result = await storage.transact({ key, expected: revisions.get(key) ?? 0, value });
      if (!result.succeeded) throw new Error('no other writer changes this key');
      revisions.set(key, result.revision);
      latencies.push(performance.now() - started);
    }
  };
  const started = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)]!;
  report(`${name}, ${writers} writers`, {
    'changes/s': Math.round(latencies.length / seconds),
    'CPU µs': (user + system) / latencies.length,
    'p50 ms': quantile(0.5),
    'p99 ms': quantile(0.99),
  });
}

async function measure(name: string, storage: ImmediateStorage): Promise<void> {
  await load(name, storage, 1, 1000);
  await load(name, storage, 16, 16_000);
  await load(name, storage, 256, 51_200);
  const watches = Array.from({ length: 100 }, (_, index) =>
    storage.watch({
      start: `/registry/kind-${index}/`,
      end: prefixEnd(`/registry/kind-${index}/`),
      onEvents: () => undefined,
      onEnd: () => undefined,
    }),
  );
  await load(`${name}, 100 idle watches`, storage, 255, 51_000);
  for (const watch of watches) watch.close();
  await timed(`${name}: compact 119,200 changes`, () => storage.compact(storage.revision));
}

const directory = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'binnacle-bench-'));
try {
  await measure('memory', createMemoryStorage());
  let storage = await openEmbeddedStorage({ directory });
  await measure('embedded', storage);
  for (let batch = 0; batch < 50; batch += 1) {
    await storage.createBatch(
      Array.from({ length: 1000 }, (_, index) => ({
        key: `/registry/pods/default/pod-${batch}-${index}`,
        value,
      })),
    );
  }
  const { bytes, keys } = await storage.statistics();
  report('embedded: file', { MB: bytes / 1e6, keys, 'bytes/key': bytes / keys });
  await storage.close();
  await timed('embedded: open', async () => {
    storage = await openEmbeddedStorage({ directory });
  });
  await timed(`embedded: range over all keys`, () => storage.range(everything));
  await timed('embedded: 100,000 gets', () => {
    for (let index = 0; index < 100_000; index += 1)
      void storage.get(`/registry/pods/default/pod-${index % 50}-${index % 1000}`);
  });
  await storage.close();
} finally {
  rmSync(directory, { recursive: true });
}
