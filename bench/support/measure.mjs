// Rounds, their median and spread.

export const median = (figures) => [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)];

/** Median, minimum and maximum of several rounds. */
export function summary(figures) {
  return {
    value: median(figures),
    least: Math.min(...figures),
    most: Math.max(...figures),
    rounds: figures.length,
  };
}

/**
 * Runs loads in turns, several times after a warm-up of each, and returns for each the CPU time of the server per
 * operation in microseconds and operations per second. `load(round)` returns its number of operations.
 */
export async function inTurns(server, count, loads) {
  const figures = loads.map(() => ({ cpu: [], rate: [] }));
  for (const load of loads) await load(-1);
  for (let round = 0; round < count; round += 1)
    for (const [index, load] of loads.entries()) {
      const before = server.cpu();
      const started = performance.now();
      const operations = await load(round);
      const seconds = (performance.now() - started) / 1000;
      figures[index].cpu.push((server.cpu() - before) / operations);
      figures[index].rate.push(operations / seconds);
    }
  return figures.map(({ cpu, rate }) => ({ cpu: summary(cpu), rate: summary(rate) }));
}

/** Runs one load like {@link inTurns}. */
export const rounds = async (server, count, load) => (await inTurns(server, count, [load]))[0];

/** Polls until `condition` holds; a measurement has no events to wait for. */
export async function until(condition, milliseconds = 60_000) {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) throw new Error('timed out waiting for the condition');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
