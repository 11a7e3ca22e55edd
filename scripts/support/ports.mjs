// Ranges of ports for the runners of recorded suites. Runs at the same time must not share a range: a runner takes
// a port that is free, and would play its scenarios on the server of another runner that took it first.
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections. */
const [FIRST, LAST] = [10_000, 32_000];
const SIZE = 400;

/** Listens on a port until this process ends. Returns whether it was free. */
function hold(port) {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.unref();
      resolve(true);
    });
  });
}

/**
 * Takes a range of ports that no other process takes this way while this process lives: it listens on the first one.
 * @returns the others, as `FIRST-LAST`
 */
export async function reservePorts() {
  for (let first = FIRST; first + SIZE <= LAST; first += SIZE)
    if (await hold(first)) return `${first + 1}-${first + SIZE - 1}`;
  throw new Error('every range of ports is taken');
}
