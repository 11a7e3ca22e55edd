import type { APIService, APIServiceCondition } from '../model/generated/apiregistration-v1.ts';
import { formatTime } from '../model/time.ts';
import type { Resource } from './client.ts';
import { isSameCondition } from './condition.ts';
import { type Controller, type ControllerContext, controllerQueue } from './controller.ts';
import { API_SERVER } from './identities.ts';

const API_SERVICES: Resource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  resource: 'apiservices',
  kind: 'APIService',
};
const SERVICES: Resource = { group: '', version: 'v1', resource: 'services', kind: 'Service' };

/**
 * Maintains the Available condition of APIServices: local ones are always available; those of a service are
 * not, since this server does not proxy requests.
 */
export function apiServiceController(parts: ControllerContext): Controller {
  const name = 'api-service-availability';
  const client = parts.client(API_SERVER);
  const apiServices = parts.informer(API_SERVICES);
  const services = parts.informer(SERVICES);
  const queue = controllerQueue(parts, name, async (key) => {
    const apiService = apiServices.objects.get(key) as APIService | undefined;
    if (apiService === undefined) return 'done';
    const service = serviceOf(apiService);
    const desired = availability(apiService, service !== undefined && services.objects.has(service));
    const conditions = apiService.status?.conditions ?? [];
    const current = conditions.find(({ type }) => type === desired.type);
    if (isSameCondition(current, desired)) return 'done';
    const lastTransitionTime =
      current !== undefined && current.status === desired.status
        ? current.lastTransitionTime
        : formatTime(parts.clock.now());
    const changed = { ...desired, lastTransitionTime };
    await client.update(
      API_SERVICES,
      { ...apiService, status: { conditions: [...conditions.filter((one) => one !== current), changed] } },
      { subresource: 'status' },
    );
    return 'done';
  });
  apiServices.onChange((key) => queue.add(key));
  services.onChange((service) => {
    for (const [key, apiService] of apiServices.objects)
      if (serviceOf(apiService) === service) queue.add(key);
  });
  return { name, sources: [apiServices, services], queue };
}

function serviceOf({ spec }: APIService): string | undefined {
  return spec?.service === undefined ? undefined : `${spec.service.namespace}/${spec.service.name}`;
}

function availability({ spec }: APIService, found: boolean): APIServiceCondition {
  const service = spec?.service;
  if (service === undefined)
    return {
      type: 'Available',
      status: 'True',
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
  if (!found)
    return {
      type: 'Available',
      status: 'False',
      reason: 'ServiceNotFound',
      message: `service/${service.name} in ${JSON.stringify(service.namespace)} is not present`,
    };
  return {
    type: 'Available',
    status: 'False',
    reason: 'FailedDiscoveryCheck',
    message: 'this server does not send requests on to extension servers',
  };
}
