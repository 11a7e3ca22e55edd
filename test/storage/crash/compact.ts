/**
 * Opens the data directory named first, compacting its file, and kills itself at the step named second;
 * `copying` is some turns of the loop after the copy has begun. Says `open` when it got that far.
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
    if (step === 'begun' && fatal === 'copying') killAfter(Number(turns));
  },
});
writeSync(1, 'open\n');
kill();
