import { randomUUID } from 'node:crypto';
import { WebhookConverter } from '../extensions/conversion/webhook-converter.ts';
import { CustomResources } from '../extensions/custom-resources/custom-resources.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Resources } from '../resources/resources.ts';
import { processClock } from '../time/clock.ts';
import type { Outbound } from './outbound.ts';

export interface CustomResourceParts {
  readonly resources: Resources;
  readonly outbound: Outbound;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  /**
   * Clients may read and write objects as CBOR. CBOR distinguishes floating-point numbers without a fraction
   * from integers.
   */
  readonly speaksCbor: boolean;
}

/** Serves all stored definitions, and follows their changes. */
export async function serveCustomResources({
  resources,
  outbound,
  metrics,
  logger,
  speaksCbor,
}: CustomResourceParts): Promise<CustomResources> {
  const customResources = new CustomResources({
    resources,
    logger,
    has: resources.scheme.has,
    keepsFloats: speaksCbor,
    createConverter: (definition, webhook) =>
      new WebhookConverter({
        ...outbound,
        definition,
        webhook,
        metrics,
        clock: processClock,
        uid: randomUUID,
      }),
  });
  await customResources.start();
  return customResources;
}
