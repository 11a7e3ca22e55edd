import type { ServerMetrics } from '../../observability/metrics-catalog.ts';
import type { Egress } from '../../outbound/egress.ts';
import { createEgress } from '../egress.ts';
import { openMetrics } from '../metrics-options.ts';
import type { StartContext } from './start-context.ts';

/** What every other part needs: metrics, and the way to other servers. */
export interface Instruments {
  readonly metrics: ServerMetrics;
  readonly egress: Egress;
}

/** Opens what has no state and holds nothing of the machine. @throws ConfigurationError */
export async function openInstruments({ configuration }: StartContext): Promise<Instruments> {
  const metrics = await openMetrics(configuration.values, configuration.scheme);
  return { metrics, egress: await createEgress(configuration.values, metrics) };
}
