import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of the ArrayBuffers that are still reachable, after a full garbage collection. */
export async function retainedBuffers(): Promise<number> {
  for (let pass = 0; pass < 2; pass += 1) {
    // Objects used in the current turn are released in the next one.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().arrayBuffers;
}
