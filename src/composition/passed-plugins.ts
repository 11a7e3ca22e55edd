import type { PassedCounter, PassedPlugins } from '../admission/chain.ts';
import { isCalledFor } from '../admission/plugins/index.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';

/** The plugins of one counter. */
interface Tally extends PassedCounter {
  readonly observe: (times: number) => void;
}

/**
 * Counts plugins that the chain leaves out because they ignore the resource, in the metric of plugins: with
 * duration 0. A request costs an addition per gap in the chain; the metric is updated when it is read.
 */
export function measurePassedPlugins({
  admissionDuration,
}: Pick<ServerMetrics, 'admissionDuration'>): PassedPlugins {
  const tallies = new Map<string, Tally>();
  admissionDuration.beforeRead('passed plugins', () => {
    for (const tally of tallies.values()) {
      if (tally.count > 0) tally.observe(tally.count);
      tally.count = 0;
    }
  });
  return (operation, phase, plugins) => {
    const called = plugins.filter((name) => isCalledFor(name, operation, phase));
    if (called.length === 0) return undefined;
    const key = `${operation} ${phase} ${called.join()}`;
    const known = tallies.get(key);
    if (known !== undefined) return known;
    const cells = called.map((name) => admissionDuration.with(name, phase, operation, 'false'));
    const made: Tally = {
      count: 0,
      observe(times) {
        for (const cell of cells) cell.observe(0, times);
      },
    };
    tallies.set(key, made);
    return made;
  };
}
