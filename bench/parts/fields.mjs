// A search for fields whose content holds the event loop or the memory: objects near the maximum size with all
// bytes in one field, for every field of every built-in kind that holds a text, a list or a map. Prints those
// above the bounds. It takes BINNACLE_BENCH_MINUTES (default: 10), in which two idle cores measure about an eighth of
// the cases, from everywhere in the model. BINNACLE_BENCH_FIELDS=<n>/<of> measures the n-th part of the cases, other
// words measure the cases whose name contains them.
import { importBundled } from '../support/bundle.mjs';
import { fieldCases, MODEL_MODULES } from '../support/field-cases.mjs';
import { BenchServer } from '../support/server.mjs';

const MAXIMUM_MILLISECONDS = 50;
const MAXIMUM_MEGABYTES = 100;
/** A server serves so many cases in the search; the memory of suspicious cases is measured in a new one. */
const CASES_PER_SERVER = 400;
const SUSPICIOUS_MEGABYTES = 60;
const FLAGS = ['--runtime-config=api/all=true', '--feature-gates=AllAlpha=true', '--v=0'];

const start = () => new BenchServer(undefined, FLAGS, { watchesSteps: true }).start();

async function play(server, { method, path, create, make }) {
  const body = Buffer.from(make());
  if (create !== undefined)
    await server.admin.request(create.path, { method: 'POST', body: JSON.stringify(create.object) });
  let status = 0;
  const figure = await server.observed(async () => {
    ({ status } = await server.admin.request(`${path}?dryRun=All`, { method, body }));
  });
  return { ...figure, status };
}

/** A prime above the number of cases, whose multiples visit the cases in an order without pattern. */
const STRIDE = 6_700_417;

/** The cases that the environment asks for, mixed. */
function selected(all, wanted = '1/1') {
  const fraction = /^(\d+)\/(\d+)$/.exec(wanted);
  const [, part, of] = fraction?.map(Number) ?? [0, 1, 1];
  return all
    .map((_, index) => all[(index * STRIDE) % all.length])
    .filter(({ name }, index) => (fraction === null ? name.includes(wanted) : index % of === part - 1));
}

/** The least and the most of three measurements: a collection of garbage can lengthen any step. */
async function again(server, subject, first) {
  const figures = [first];
  for (let run = 0; run < 2; run += 1) figures.push(await play(server, subject));
  return {
    longest: Math.min(...figures.map(({ longest }) => longest)),
    most: Math.max(...figures.map(({ longest }) => longest)),
    status: first.status,
  };
}

async function memoryOf(subject) {
  const server = await start();
  try {
    return (await play(server, subject)).memory;
  } finally {
    await server.remove();
  }
}

export default async function fields(table) {
  const model = await importBundled(MODEL_MODULES);
  const cases = selected([...fieldCases(model)], process.env.BINNACLE_BENCH_FIELDS);
  const started = performance.now();
  const end = started + Number(process.env.BINNACLE_BENCH_MINUTES ?? 10) * 60_000;
  let measured = 0;
  const statuses = new Map();
  let longest = 0;
  let server;
  for (const [index, subject] of cases.entries()) {
    if (performance.now() > end) break;
    measured += 1;
    if (index % CASES_PER_SERVER === 0) {
      await server?.remove();
      server = await start();
      await play(server, subject);
    }
    const first = await play(server, subject);
    statuses.set(first.status, (statuses.get(first.status) ?? 0) + 1);
    const figure = first.longest > MAXIMUM_MILLISECONDS ? await again(server, subject, first) : first;
    longest = Math.max(longest, figure.longest);
    if (figure.longest > MAXIMUM_MILLISECONDS)
      table.row(
        `${subject.name} (${figure.status})`,
        { value: figure.longest, least: figure.longest, most: figure.most },
        'ms',
        MAXIMUM_MILLISECONDS,
      );
    if (first.memory > SUSPICIOUS_MEGABYTES) {
      const memory = await memoryOf(subject);
      if (memory > MAXIMUM_MEGABYTES)
        table.row(`${subject.name} (${figure.status})`, { value: memory }, 'MB', MAXIMUM_MEGABYTES);
    }
  }
  await server?.remove();
  table.row('longest step', { value: longest }, 'ms', MAXIMUM_MILLISECONDS);
  const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  table.note('', `${measured} of ${cases.length} cases in ${seconds} s: ${counts.join(', ')}`);
}
