// From the start of the process until it is ready on an empty directory, and its work after that.
import { coldStart } from '../support/cold.mjs';
import { summary } from '../support/measure.mjs';
import { BenchServer } from '../support/server.mjs';

const STARTS = 20;
const AT_ONCE = 8;

export default async function coldStarts(table) {
  const starts = [];
  for (let round = 0; round < STARTS; round += 1) starts.push(await coldStart());
  const figures = (name) => summary(starts.map((start) => start[name]));
  table.row('cold: start until ready', figures('wall'), 'ms wall', 200);
  table.row('cold: start, and work after ready', figures('cpu'), 'ms CPU', 300);
  table.row('cold: idle memory', figures('memory'), 'MB RSS');
  const servers = Array.from({ length: AT_ONCE }, () => new BenchServer());
  try {
    const started = performance.now();
    await Promise.all(servers.map((server) => server.start()));
    table.row(
      `cold: ${AT_ONCE} servers started at once`,
      { value: performance.now() - started },
      'ms wall',
      5000,
    );
  } finally {
    await Promise.all(servers.map((server) => server.remove()));
  }
}
