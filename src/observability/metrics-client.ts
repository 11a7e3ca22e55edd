import { exponential } from './buckets.ts';
import type { MetricsRegistry } from './metrics.ts';

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
/** 64 bytes to 16 MiB. */
const BYTES = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

/** Metrics of requests to other servers and of the work queues that send them. */
export function clientMetrics(registry: MetricsRegistry) {
  return {
    clientRequests: registry.counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labels: ['code', 'method', 'host'],
    }),
    clientDuration: registry.histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Request latency in seconds. Broken down by verb, and host.',
      labels: ['verb', 'host'],
      buckets: SECONDS,
    }),
    clientSent: registry.histogram({
      name: 'rest_client_request_size_bytes',
      help: 'Request size in bytes. Broken down by verb and host.',
      labels: ['verb', 'host'],
      buckets: BYTES,
    }),
    clientReceived: registry.histogram({
      name: 'rest_client_response_size_bytes',
      help: 'Response size in bytes. Broken down by verb and host.',
      labels: ['verb', 'host'],
      buckets: BYTES,
    }),
  };
}

const QUEUE_SECONDS = exponential(1e-8, 10, 10);

/** Metrics of the work queues of controllers, by their name. */
export function queueMetrics(registry: MetricsRegistry) {
  const labels = ['name'];
  return {
    queueDepth: registry.gauge({ name: 'workqueue_depth', help: 'Current depth of workqueue', labels }),
    queueAdds: registry.counter({
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
      labels,
    }),
    queueRetries: registry.counter({
      name: 'workqueue_retries_total',
      help: 'Total number of retries handled by workqueue',
      labels,
    }),
    queueWait: registry.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before being requested.',
      labels,
      buckets: QUEUE_SECONDS,
    }),
    queueWork: registry.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item from workqueue takes.',
      labels,
      buckets: QUEUE_SECONDS,
    }),
    queueUnfinished: registry.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: "How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
      labels,
    }),
    queueLongest: registry.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'How many seconds has the longest running processor for workqueue been running.',
      labels,
    }),
  };
}
