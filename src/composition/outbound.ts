import { createServiceSource } from '../listers/service-source.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Egress } from '../outbound/egress.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { createServiceResolver, type ServiceResolver } from '../outbound/service-resolver.ts';
import type { Resources } from '../resources/resources.ts';

/** How webhooks, converters and extension servers are reached. */
export interface Outbound {
  readonly client: OutboundClient;
  readonly egress: Egress;
  readonly resolve: ServiceResolver;
  /** Name of this server in its requests. */
  readonly userAgent: string;
}

type OutboundOptions = OptionSlice<'enableAggregatorRouting'>;

export interface OutboundParts {
  readonly configuration: Pick<Configuration, 'advertiseAddress' | 'scheme'> & {
    readonly values: OutboundOptions;
  };
  readonly resources: Resources;
  readonly egress: Egress;
  /** Port of this server, which serves `default/kubernetes`. */
  readonly port: number;
}

/** Creates the client for requests to other servers, and the resolver of their Services. */
export function createOutbound({ configuration, resources, egress, port }: OutboundParts): Outbound {
  return {
    client: new OutboundClient({ egress }),
    egress,
    resolve: createServiceResolver({
      source: createServiceSource(resources),
      toEndpoints: configuration.values.enableAggregatorRouting,
      self: () => ({ host: configuration.advertiseAddress, port }),
    }),
    userAgent: `kube-apiserver/${configuration.scheme.release.gitVersion}`,
  };
}
