/**
 * Writes until it is killed. Standard output: `error <message>` when the directory cannot be opened,
 * otherwise `open`, and for each acknowledged change `<key> <revision> <value>`, with `-` for a deletion.
 */
import { writeSync } from 'node:fs';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';

const [directory, generation, keys] = process.argv.slice(2) as [string, string, string];

const storage = await openEmbeddedStorage({ directory }).catch((error: Error) => {
  writeSync(1, `error ${error.message}\n`);
  process.exit(1);
});
writeSync(1, 'open\n');

async function write(key: string): Promise<never> {
  let revision = (await storage.get(key)).entry?.revision ?? 0;
  for (let round = 0; ; round += 1) {
    const text = round % 5 === 4 ? undefined : `${generation}:${round}:${'x'.repeat(round % 700)}`;
    const result = await storage.transact({
      key,
      expected: revision,
      value: text === undefined ? undefined : Buffer.from(text),
    });
    if (!result.succeeded) throw new Error('no other writer changes this key');
    writeSync(1, `${key} ${result.revision} ${text ?? '-'}\n`);
    revision = text === undefined ? 0 : result.revision;
    if (round % 50 === 49 && key === '/k0')
      void storage.compact(storage.revision - 200 > 0 ? storage.revision - 200 : 1);
  }
}

await Promise.all(Array.from({ length: Number(keys) }, (_, index) => write(`/k${index}`)));
