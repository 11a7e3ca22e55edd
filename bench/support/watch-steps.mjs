// Loaded into a measured server: observes the longest time for which the main thread works without a turn of the
// event loop, and the peak of the resident memory. A message `begin` starts an observation, `end` answers with
// `{ longest, memory }`, in milliseconds of processor time and in megabytes above the memory before. Linux only.
import { openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const statistics = openSync(`/proc/self/task/${process.pid}/schedstat`);
const buffer = Buffer.alloc(64);

/** Milliseconds that the main thread has worked. */
function workedTime() {
  const text = buffer.latin1Slice(0, readSync(statistics, buffer, 0, buffer.length, 0));
  return Number(text.slice(0, text.indexOf(' '))) / 1e6;
}

/** Megabytes of a field of the process's status. */
function memory(field) {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync('/proc/self/status', 'latin1'),
  );
  return Number(kilobytes) / 1000;
}

let running = false;
let longest = 0;
let before = 0;
let last = 0;

function turn() {
  const now = workedTime();
  longest = Math.max(longest, now - last);
  last = workedTime();
  if (running) setImmediate(turn);
}

// Threads of the server load this file too.
if (isMainThread) {
  process.on('message', (message) => {
    if (message === 'begin') {
      // Resets the peak of the resident memory.
      writeFileSync('/proc/self/clear_refs', '5');
      before = memory('VmRSS');
      longest = 0;
      running = true;
      last = workedTime();
      setImmediate(turn);
      process.send('begun');
    } else {
      running = false;
      turn();
      process.send({ longest, memory: memory('VmHWM') - before });
    }
  });
  process.channel.unref();
}
