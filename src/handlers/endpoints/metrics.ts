import { gzipBody } from '../../connection/compress.ts';
import type { Life } from '../../model/life.ts';
import type { MetricsRegistry } from '../../observability/metrics.ts';
import { exposition, expositionType } from '../../observability/metrics-exposition.ts';
import type { Handler } from '../../request/context.ts';
import { send } from '../response/answer.ts';

/** The releases whose client library writes names of metrics with underscores. */
const ESCAPES_WITH_UNDERSCORES: Life = { since: '1.33' };

/** When the process started, in seconds since 1970: a scraper can tell a restart by it. */
const STARTED = String(Math.floor(performance.timeOrigin / 1000));

/**
 * Serves every metric of a registry.
 * @param resettable DELETE resets the counters (servers with `--profiling`)
 */
export function metricsHandler(registry: MetricsRegistry, resettable: boolean): Handler {
  return async (context) => {
    if (resettable && context.exchange.method === 'DELETE') {
      registry.reset();
      await send(context, 200, 'text/plain; charset=utf-8', 'metrics reset\n');
      return;
    }
    context.exchange.setHeader('Process-Start-Time-Unix', STARTED);
    const type = expositionType(context.scheme.has(ESCAPES_WITH_UNDERSCORES) ? 'underscores' : 'values');
    const text = await exposition(registry, () => context.turns.pause());
    if (!acceptsGzip(context.exchange.header('accept-encoding'))) {
      await send(context, 200, type, text, false);
      return;
    }
    const compressed = await gzipBody(Buffer.from(text));
    context.exchange.setHeader('content-encoding', 'gzip');
    await send(context, 200, type, compressed, false);
  };
}

/** Metrics of any size are compressed. Quality values are ignored, as in kube-apiserver. */
const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((coding) => coding.trim() === 'gzip' || coding.trim().startsWith('gzip;'));
