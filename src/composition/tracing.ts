import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Logger } from '../observability/log.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Egress } from '../outbound/egress.ts';
import { processClock } from '../time/clock.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { serverIdentity } from './open-storage.ts';

type TracingOptions = OptionSlice<'tracingConfigFile'>;

/** Milliseconds between two log records about dropped spans. */
const DROP_LOG_INTERVAL = 60_000;

/**
 * Opens the export of spans that the flag configures; undefined without the flag, in which case no code is
 * loaded. The collector is in the network of the control plane.
 * @throws ConfigurationError
 */
export async function openTracing(
  configuration: Configuration<TracingOptions>,
  egress: Egress,
  logger: Logger,
): Promise<Tracer | undefined> {
  const { values, gates } = configuration;
  if (values.tracingConfigFile === '') return undefined;
  if (!gates.enabled('APIServerTracing'))
    throw new ConfigurationError(
      'APIServerTracing feature is not enabled, but tracing config file was provided',
    );
  const { readTracingFile } = await import('../options/documents/tracing.ts');
  const { Collector } = await import('../tracing/collector.ts');
  const { Tracer } = await import('../tracing/tracer.ts');
  const { endpoint, samplingRatePerMillion } = readTracingFile(values.tracingConfigFile);
  const log = logger.child('tracing');
  let logged = Number.NEGATIVE_INFINITY;
  return new Tracer({
    collector: new Collector(endpoint, egress.controlplane),
    samplingRatePerMillion,
    service: {
      name: 'apiserver',
      instance: serverIdentity().name,
      scope: 'k8s.io/component-base/tracing',
    },
    clock: processClock,
    origin: performance.timeOrigin,
    onFailure: (error) => log.error('failed to export spans', { endpoint, err: error.message }),
    onDrop() {
      const now = processClock.monotonic();
      if (now - logged < DROP_LOG_INTERVAL) return;
      logged = now;
      log.warn('dropped spans: the collector is too slow or away', { endpoint });
    },
  });
}
