/**
 * Opens the data directory of the first argument, compacting its file, and kills itself at the step of the
 * second argument; `copying` is some turns of the event loop after the copy has started. Writes `open` after
 * opening.
 */
import { writeSync } from 'node:fs';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';

const [directory, fatal, turns] = process.argv.slice(2) as [string, string, string];
const kill = () => process.kill(process.pid, 'SIGKILL');

function killAfter(turns: number): void {
  if (turns === 0) kill();
  else setImmediate(() => killAfter(turns - 1));
}

await openEmbeddedStorage({
  directory,
  compactFromBytes: 1 << 20,
  onCompaction: (step) => {
    if (step === fatal) kill();
    if (step === 'started' && fatal === 'copying') killAfter(Number(turns));
  },
});
writeSync(1, 'open\n');
kill();
