import type { HistogramDeclaration, MetricDeclaration } from './metric-family.ts';
import type { MetricsRegistry } from './metrics.ts';

const NAME = 'apiserver_flowcontrol_';
const SCHEMA = ['priority_level', 'flow_schema'];
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

const ofLevel = (name: string, help: string): MetricDeclaration => ({
  name: `${NAME}${name}`,
  help,
  labels: ['priority_level'],
});
const ofSchema = (name: string, help: string, ...more: string[]): MetricDeclaration => ({
  name: `${NAME}${name}`,
  help,
  labels: [...SCHEMA, ...more],
});
const stable = <Declaration extends MetricDeclaration>(declaration: Declaration): Declaration => ({
  ...declaration,
  stability: 'BETA',
});
const histogram = (declaration: MetricDeclaration, buckets: readonly number[]): HistogramDeclaration => ({
  ...declaration,
  buckets,
});

/** Metrics of priority and fairness by level and schema; labels in the order in which callers pass values. */
function schemaMetrics(registry: MetricsRegistry) {
  return {
    rejected: registry.counter(
      stable(
        ofSchema(
          'rejected_requests_total',
          'Number of requests rejected by API Priority and Fairness subsystem',
          'reason',
        ),
      ),
    ),
    dispatched: registry.counter(
      stable(
        ofSchema(
          'dispatched_requests_total',
          'Number of requests executed by API Priority and Fairness subsystem',
        ),
      ),
    ),
    waiting: registry.gauge(
      stable(
        ofSchema(
          'current_inqueue_requests',
          'Number of requests currently pending in queues of the API Priority and Fairness subsystem',
        ),
      ),
    ),
    waitingSeats: registry.gauge(
      ofSchema(
        'current_inqueue_seats',
        'Number of seats currently pending in queues of the API Priority and Fairness subsystem',
      ),
    ),
    executing: registry.gauge(
      stable(
        ofSchema(
          'current_executing_requests',
          'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
        ),
      ),
    ),
    executingSeats: registry.gauge(
      stable(
        ofSchema(
          'current_executing_seats',
          'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
        ),
      ),
    ),
    concurrencyInUse: registry.gauge({
      ...ofSchema(
        'request_concurrency_in_use',
        'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
      ),
      deprecatedSince: '1.31.0',
    }),
    queueLength: registry.histogram(
      histogram(
        ofSchema(
          'request_queue_length_after_enqueue',
          'Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued',
        ),
        [0, 10, 25, 50, 100, 250, 500, 1000],
      ),
    ),
    waitDuration: registry.histogram(
      histogram(
        stable(
          ofSchema(
            'request_wait_duration_seconds',
            'Length of time a request spent waiting in its queue',
            'execute',
          ),
        ),
        SECONDS,
      ),
    ),
    executionDuration: registry.histogram(
      histogram(
        ofSchema(
          'request_execution_seconds',
          'Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem',
          'type',
        ),
        SECONDS,
      ),
    ),
    watchCounts: registry.histogram(
      histogram(
        ofSchema(
          'watch_count_samples',
          'count of watchers for mutating requests in API Priority and Fairness',
        ),
        [0, 1, 10, 100, 1000, 10_000],
      ),
    ),
    estimatedSeats: registry.histogram(
      histogram(
        ofSchema(
          'work_estimated_seats',
          'Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
        ),
        [1, 2, 4, 10],
      ),
    ),
    noAccommodation: registry.counter(
      ofSchema(
        'request_dispatch_no_accommodation_total',
        'Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
      ),
    ),
  };
}

/** Metrics of a priority level's seats. */
function seatMetrics(registry: MetricsRegistry) {
  const nominal = 'Nominal number of execution seats configured for each priority level';
  return {
    nominalLimit: registry.gauge(stable(ofLevel('nominal_limit_seats', nominal))),
    concurrencyLimit: registry.gauge({
      ...ofLevel('request_concurrency_limit', nominal),
      deprecatedSince: '1.30.0',
    }),
    lowerLimit: registry.gauge(
      ofLevel(
        'lower_limit_seats',
        'Configured lower bound on number of execution seats available to each priority level',
      ),
    ),
    upperLimit: registry.gauge(
      ofLevel(
        'upper_limit_seats',
        'Configured upper bound on number of execution seats available to each priority level',
      ),
    ),
    currentLimit: registry.gauge(
      ofLevel(
        'current_limit_seats',
        'current derived number of execution seats available to each priority level',
      ),
    ),
    highestDemand: registry.gauge(
      ofLevel('demand_seats_high_watermark', 'High watermark, over last adjustment period, of demand_seats'),
    ),
    averageDemand: registry.gauge(
      ofLevel('demand_seats_average', 'Time-weighted average, over last adjustment period, of demand_seats'),
    ),
    demandDeviation: registry.gauge(
      ofLevel(
        'demand_seats_stdev',
        'Time-weighted standard deviation, over last adjustment period, of demand_seats',
      ),
    ),
    smoothedDemand: registry.gauge(ofLevel('demand_seats_smoothed', 'Smoothed seat demands')),
    target: registry.gauge(ofLevel('target_seats', 'Seat allocation targets')),
    fairFraction: registry.gauge({
      name: `${NAME}seat_fair_frac`,
      help: "Fair fraction of server's concurrency to allocate to each priority level that can use it",
    }),
  };
}

/** Metrics of the fair queuing of a priority level. */
function progressMetrics(registry: MetricsRegistry) {
  const bounds = (name: string, help: string): MetricDeclaration => ({
    name: `${NAME}${name}`,
    help,
    labels: ['priority_level', 'bound'],
  });
  return {
    progress: registry.gauge(ofLevel('current_r', 'R(time of last change)')),
    dispatchProgress: registry.gauge(ofLevel('dispatch_r', 'R(time of last dispatch)')),
    latestStart: registry.gauge(ofLevel('latest_s', 'S(most recently dispatched request)')),
    nextStarts: registry.gauge(
      bounds('next_s_bounds', 'min and max, over queues, of S(oldest waiting request in queue)'),
    ),
    nextDiscountedStarts: registry.gauge(
      bounds(
        'next_discounted_s_bounds',
        'min and max, over queues, of S(oldest waiting request in queue) - estimated work in progress',
      ),
    ),
    epochs: registry.counter({
      name: `${NAME}epoch_advance_total`,
      help: "Number of times the queueset's progress meter jumped backward",
      labels: ['priority_level', 'success'],
    }),
  };
}

/** Histograms over time of what a priority level uses. */
function useMetrics(registry: MetricsRegistry) {
  return {
    requestUse: registry.timingHistogram({
      name: `${NAME}priority_level_request_utilization`,
      help: 'Observations, at the end of every nanosecond, of number of requests (as a fraction of the relevant limit) waiting or in any stage of execution (but only initial stage for WATCHes)',
      labels: ['phase', 'priority_level'],
      buckets: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
    }),
    seatUse: registry.timingHistogram({
      name: `${NAME}priority_level_seat_utilization`,
      help: 'Observations, at the end of every nanosecond, of utilization of seats for any stage of execution (but only initial stage for WATCHes)',
      labels: ['phase', 'priority_level'],
      buckets: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    }),
    demand: registry.timingHistogram({
      ...ofLevel(
        'demand_seats',
        'Observations, at the end of every nanosecond, of (the number of seats each priority level could use) / (nominal number of seats for that level)',
      ),
      buckets: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
    }),
    readAndWriteUse: registry.timingHistogram({
      name: `${NAME}read_vs_write_current_requests`,
      help: 'Observations, at the end of every nanosecond, of the number of requests (as a fraction of the relevant limit) waiting or in regular stage of execution',
      labels: ['phase', 'request_kind'],
      buckets: [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    }),
  };
}

/** Declares the metrics of priority and fairness. */
export function flowControlMetrics(registry: MetricsRegistry) {
  return {
    ...schemaMetrics(registry),
    ...seatMetrics(registry),
    ...progressMetrics(registry),
    ...useMetrics(registry),
  };
}

export type FlowControlMetrics = ReturnType<typeof flowControlMetrics>;

/** Removes the series of a schema or a priority level that is gone. */
export function removeSeries(
  metrics: FlowControlMetrics,
  label: 'flow_schema' | 'priority_level',
  value: string,
): void {
  for (const family of Object.values(metrics))
    if (family.declaration.labels?.includes(label) === true) family.remove({ [label]: value });
}
