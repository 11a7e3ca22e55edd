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
 * Runs a load several times after a warm-up, and returns CPU time of the server per operation in microseconds
 * and operations per second. `load(round)` returns its number of operations.
 */
export async function rounds(server, count, load) {
  const cpu = [];
  const rate = [];
  await load(-1);
  for (let round = 0; round < count; round += 1) {
    const before = server.cpu();
    const started = performance.now();
    const operations = await load(round);
    const seconds = (performance.now() - started) / 1000;
    cpu.push((server.cpu() - before) / operations);
    rate.push(operations / seconds);
  }
  return { cpu: summary(cpu), rate: summary(rate) };
}

/** Polls until `condition` holds; a measurement has no events to wait for. */
export async function until(condition, milliseconds = 60_000) {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) throw new Error('timed out waiting for the condition');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
