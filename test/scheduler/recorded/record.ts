// Records what kube-scheduler decides in random situations, for replay.test.ts:
//   npx tsx test/scheduler/recorded/record.ts --scheduler PATH --kind KIND --last SEED --out test/fixtures/recorded/scheduling-KIND.json.gz
// It starts the built server (`npm run build`) without controllers, and kube-scheduler on it.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SITUATIONS } from '../situations/kinds.ts';
import { ClusterWriter } from './cluster-writer.ts';
import type { Recording } from './recording.ts';
import { ScoreLog } from './score-log.ts';
import { Stack } from './stack.ts';

const { values } = parseArgs({
  options: {
    scheduler: { type: 'string' },
    port: { type: 'string', default: '21500' },
    first: { type: 'string', default: '1' },
    last: { type: 'string', default: '10' },
    kind: { type: 'string', default: 'general' },
    out: { type: 'string' },
  },
});
if (values.scheduler === undefined || values.out === undefined)
  throw new Error('--scheduler and --out are needed');
const kind = SITUATIONS[values.kind as keyof typeof SITUATIONS];
if (kind === undefined) throw new Error(`unknown kind ${values.kind}: use one of ${Object.keys(SITUATIONS)}`);

const log = new ScoreLog();
const stack = new Stack({ scheduler: values.scheduler, port: Number(values.port), gates: kind.gates });
await stack.start((line) => log.read(line));
const recordings: Recording[] = [];
try {
  for (let seed = Number(values.first); seed <= Number(values.last); seed++) {
    const writer = new ClusterWriter(stack, log);
    recordings.push(await writer.record(kind.generate(seed)));
    process.stdout.write(`seed ${seed}: ${recordings.at(-1)!.cases.length} cases\n`);
  }
} finally {
  await stack.stop();
}
await writeFile(values.out, gzipSync(JSON.stringify(recordings)));
