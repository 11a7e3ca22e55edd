// A thread with greedy clients: each lists all Pods again and again until the parent says so. Reports how many
// lists were answered and refused.
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from './client.mjs';

const { url, token, clients, path } = workerData;
const counts = { answered: 0, refused: 0, bytes: 0 };
let running = true;

async function run() {
  const client = new Client(url, token);
  while (running) {
    const { status, bytes } = await client.request(path);
    if (!running) break;
    if (status === 200) {
      counts.answered += 1;
      counts.bytes += bytes;
    } else {
      counts.refused += 1;
      // A client waits as Retry-After says.
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  client.close();
}

for (let index = 0; index < clients; index += 1) run().catch(() => undefined);
parentPort.once('message', () => {
  running = false;
  parentPort.postMessage(counts);
});
