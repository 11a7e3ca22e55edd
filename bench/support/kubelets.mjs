// The kubelets of `workerData.nodes` nodes: all post the status of their Pods at once, and again after a pause,
// until a message ends them. Answers with the number of statuses that were stored.
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from './client.mjs';
import { PODS } from './objects.mjs';

const PAUSE_MILLISECONDS = 500;
let running = true;
parentPort.once('message', () => {
  running = false;
});

const type = 'application/strategic-merge-patch+json';
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));

async function runKubelet(node) {
  const client = new Client(workerData.url, `node-${node}`);
  let stored = 0;
  for (let round = 0; running; round += 1) {
    const status = { message: `round ${round}`, conditions: [{ type: 'Ready', status: 'True' }] };
    const body = JSON.stringify({ status });
    const answers = await Promise.all(
      workerData.pods[node].map((name) =>
        client.request(`${PODS}/${name}/status`, { method: 'PATCH', type, body }),
      ),
    );
    const refused = answers.find((answer) => answer.status !== 200 && answer.status !== 429);
    if (refused !== undefined) throw new Error(`a status got ${refused.status}: ${refused.body}`);
    stored += answers.filter((answer) => answer.status === 200).length;
    await pause();
  }
  client.close();
  return stored;
}

const counts = await Promise.all(workerData.pods.map((_, node) => runKubelet(node)));
parentPort.postMessage(counts.reduce((sum, count) => sum + count, 0));
