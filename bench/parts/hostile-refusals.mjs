// The longest step of the event loop and the memory of requests that are refused: each is measured in a process
// of its own, after requests of the same kinds have been served. BINNACLE_BENCH_REFUSALS=<words> measures those
// whose name contains the words.
import { core } from '../support/hostile.mjs';
import { REFUSALS } from '../support/refusals.mjs';
import { BenchServer } from '../support/server.mjs';

const MAXIMUM_MILLISECONDS = 50;
const MAXIMUM_MEGABYTES = 100;
const RUNS = 3;

async function measure({ prepare, ...request }) {
  const server = new BenchServer(undefined, [], { watchesSteps: true });
  const send = ({ path, ...options }) => server.admin.request(path, options);
  try {
    await server.start();
    await send({ method: 'POST', path: core('configmaps'), body: '{}' });
    if (prepare !== undefined) await send(prepare);
    const figures = [];
    let answer;
    for (let run = 0; run < RUNS; run += 1)
      figures.push(
        await server.observed(async () => {
          answer = await send(request);
        }),
      );
    const steps = figures.map(({ longest }) => longest).sort((a, b) => a - b);
    return { steps, memory: figures[0].memory, ...answer };
  } finally {
    await server.remove();
  }
}

export default async function refusals(table) {
  const wanted = process.env.BINNACLE_BENCH_REFUSALS ?? '';
  for (const [name, make] of Object.entries(REFUSALS)) {
    if (!name.includes(wanted)) continue;
    const { steps, memory, status, bytes } = await measure(make());
    table.row(
      `${name} (${status})`,
      { value: steps[0], least: steps[0], most: steps.at(-1) },
      'ms',
      MAXIMUM_MILLISECONDS,
    );
    table.row('', { value: memory }, 'MB', MAXIMUM_MEGABYTES);
    if (bytes > 1_000_000) table.note('', `answer of ${Math.round(bytes / 1e6)} MB`);
  }
}
