/**
 * Opens the data directory of the first argument as a later version does, which converts it, and kills itself when
 * the step of the second argument is reached the number of times of the third; `writing` is the number of turns of
 * the event loop of the third argument after a conversion has begun to commit. Writes `announced` before that, and
 * `open` after opening.
 */
import { writeSync } from 'node:fs';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { LATER_FORMATS } from '../format/fake-formats.ts';

const [directory, fatal, count] = process.argv.slice(2) as [string, string, string];
const kill = () => process.kill(process.pid, 'SIGKILL');
let left = Number(count);

function killAfter(turns: number): void {
  if (turns === 0) kill();
  else setImmediate(() => killAfter(turns - 1));
}

await openEmbeddedStorage({
  directory,
  formats: LATER_FORMATS,
  onConversion: (from, to) => writeSync(1, `announced ${from} ${to}\n`),
  onConversionStep: (step) => {
    if (step === 'committing' && fatal === 'writing') killAfter(left);
    if (step !== fatal) return;
    left -= 1;
    if (left === 0) kill();
  },
});
writeSync(1, 'open\n');
kill();
