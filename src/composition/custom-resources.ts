import { randomUUID } from 'node:crypto';
import { WebhookConverter } from '../extensions/conversion/webhook-converter.ts';
import { CustomResources } from '../extensions/custom-resources/custom-resources.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Registry } from '../registry/registry.ts';
import { systemClock } from '../time/clock.ts';
import type { Outbound } from './outbound.ts';

export interface CustomResourceParts {
  readonly registry: Registry;
  readonly outbound: Outbound;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/** Serves all stored definitions, and follows their changes. */
export async function serveCustomResources({
  registry,
  outbound,
  metrics,
  logger,
}: CustomResourceParts): Promise<CustomResources> {
  const resources = new CustomResources({
    registry,
    logger,
    createConverter: (definition, webhook) =>
      new WebhookConverter({
        ...outbound,
        definition,
        webhook,
        metrics,
        clock: systemClock,
        uid: randomUUID,
      }),
  });
  await resources.start();
  return resources;
}
