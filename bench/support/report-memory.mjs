// Loaded into a measured server: answers each message with the bytes that are still reachable.
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('message', async () => {
  // Memory outside of the heap is freed some time after the objects that held it.
  for (let pass = 0; pass < 3; pass += 1) {
    collect();
    await setTimeout(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
process.channel.unref();
