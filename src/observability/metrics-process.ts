import { readdirSync, readFileSync } from 'node:fs';
import type { MetricsRegistry } from './metrics.ts';

/** Adds gauges without labels, which are read at each scrape. */
export const gaugesOf =
  (registry: MetricsRegistry) =>
  (name: string, help: string, read: () => number): void =>
    registry.observe({ name, help, stability: '' }, 'gauge', () => [[[], read()]]);

/**
 * Process metrics, read at each scrape. Files under /proc exist on Linux only; elsewhere those metrics have
 * no series.
 */
export function observeProcess(registry: MetricsRegistry): void {
  const gauge = gaugesOf(registry);
  registry.observe(
    {
      name: 'process_cpu_seconds_total',
      help: 'Total user and system CPU time spent in seconds.',
      stability: '',
    },
    'counter',
    () => {
      const { user, system } = process.cpuUsage();
      return [[[], (user + system) / 1e6]];
    },
  );
  observeStartTime(registry);
  gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss());
  gauge(
    'process_virtual_memory_bytes',
    'Virtual memory size in bytes.',
    () => Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]) * PAGE_BYTES,
  );
  gauge('process_virtual_memory_max_bytes', 'Maximum amount of virtual memory available in bytes.', () => {
    const limit = /^Max address space\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))![1];
    // Go reports "unlimited" as the largest unsigned number.
    return limit === 'unlimited' ? 2 ** 64 : Number(limit);
  });
  gauge('process_open_fds', 'Number of open file descriptors.', () => readdirSync('/proc/self/fd').length);
  gauge('process_max_fds', 'Maximum number of open file descriptors.', () => {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))![1];
    return Number(limit);
  });
  gauge(
    'nodejs_heap_size_used_bytes',
    'Memory used by JavaScript objects in bytes.',
    () => process.memoryUsage().heapUsed,
  );
  gauge(
    'nodejs_external_memory_bytes',
    'Memory of buffers outside of the JavaScript heap in bytes.',
    () => process.memoryUsage().external,
  );
}

const PAGE_BYTES = 4096;

/** Also part of `/metrics/slis`. */
export function observeStartTime(registry: MetricsRegistry): void {
  const started = (performance.timeOrigin / 1000).toFixed(2);
  registry.observe(
    {
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
      stability: '',
    },
    'gauge',
    () => [[[], Number(started)]],
  );
}
