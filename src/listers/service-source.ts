import type { Endpoints, Service } from '../model/generated/core-v1.ts';
import type { ServiceSource } from '../outbound/service-resolver.ts';
import type { Resources } from '../resources/resources.ts';
import { Lister } from './listers.ts';

/** Reads Services and Endpoints from the cache, for the addresses of webhooks and extension servers. */
export function createServiceSource(resources: Resources): ServiceSource {
  const services = new Lister(resources, '', 'services');
  const endpoints = new Lister(resources, '', 'endpoints');
  return {
    service: async (namespace, name) => (await services.get(namespace, name)) as Service | undefined,
    endpoints: async (namespace, name) => (await endpoints.get(namespace, name)) as Endpoints | undefined,
  };
}
