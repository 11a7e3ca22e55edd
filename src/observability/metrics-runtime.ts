import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { MetricsRegistry, Reading } from './metrics.ts';
import { gaugesOf } from './metrics-process.ts';

const NANOSECONDS = 1e9;
/** Milliseconds between samples of the event loop's delay. */
const DELAY_RESOLUTION = 20;
const GC_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1];

const GC_KINDS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/** The entry of a collection; durations are in milliseconds. */
interface GarbageCollection {
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

/**
 * Metrics of the runtime: those of Node.js, and the ones of Go that dashboards of kube-apiserver use, with the
 * nearest value that Node.js has. @returns a function that ends the measurements
 */
export function observeRuntime(registry: MetricsRegistry): () => void {
  const gauge = gaugesOf(registry);
  const heap = () => getHeapStatistics();
  gauge(
    'go_goroutines',
    'Number of resources that keep the event loop running, in place of goroutines.',
    () => process.getActiveResourcesInfo().length,
  );
  registry.observe(
    { name: 'go_info', help: 'Information about the runtime.', stability: '', labels: ['version'] },
    'gauge',
    () => [[[`node ${process.version}`], 1]],
  );
  gauge(
    'go_memstats_alloc_bytes',
    'Number of bytes allocated and still in use.',
    () => heap().used_heap_size,
  );
  gauge(
    'go_memstats_heap_alloc_bytes',
    'Number of heap bytes allocated and still in use.',
    () => heap().used_heap_size,
  );
  gauge(
    'go_memstats_heap_sys_bytes',
    'Number of heap bytes obtained from system.',
    () => heap().total_heap_size,
  );
  gauge('go_memstats_sys_bytes', 'Number of bytes obtained from system.', () => process.memoryUsage.rss());
  gauge(
    'nodejs_heap_size_total_bytes',
    'Size of the JavaScript heap in bytes.',
    () => heap().total_heap_size,
  );
  gauge(
    'nodejs_heap_size_limit_bytes',
    'Limit of the JavaScript heap in bytes.',
    () => heap().heap_size_limit,
  );
  registry.observe(
    {
      name: 'nodejs_heap_space_size_used_bytes',
      help: 'Used bytes of a space of the JavaScript heap.',
      stability: '',
      labels: ['space'],
    },
    'gauge',
    () => getHeapSpaceStatistics().map((space): Reading => [[space.space_name], space.space_used_size]),
  );
  const stopDelay = observeEventLoop(registry);
  const pauses = registry.histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Garbage collections of the JavaScript heap in seconds.',
    stability: '',
    labels: ['kind'],
    buckets: GC_SECONDS,
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration, detail } = entry as unknown as GarbageCollection;
      const kind = GC_KINDS.get(detail.kind) ?? 'other';
      pauses.with(kind).observe(duration / 1000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
    stopDelay();
  };
}

/** Delay and utilization of the event loop since the previous scrape. */
function observeEventLoop(registry: MetricsRegistry): () => void {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
  delay.enable();
  let before = performance.eventLoopUtilization();
  registry.observe(
    {
      name: 'nodejs_eventloop_delay_seconds',
      help: 'Delay of the event loop in seconds since the previous scrape.',
      stability: '',
      labels: ['quantile'],
    },
    'gauge',
    () => {
      const readings = [50, 90, 99, 100].map(
        (percent): Reading => [
          [String(percent / 100)],
          (percent === 100 ? delay.max : delay.percentile(percent)) / NANOSECONDS,
        ],
      );
      delay.reset();
      return readings;
    },
  );
  registry.observe(
    {
      name: 'nodejs_eventloop_utilization',
      help: 'Fraction of the time since the previous scrape in which the event loop was busy.',
      stability: '',
    },
    'gauge',
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return [[[], utilization]];
    },
  );
  return () => delay.disable();
}
