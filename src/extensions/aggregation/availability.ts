import { quote } from '../../errors/quote.ts';
import type { Condition } from '../../model/conditions.ts';
import type { ServiceSource } from '../../outbound/service-resolver.ts';
import type { BackendService, RegisteredVersion } from './api-service.ts';

/** The condition Available without its time. */
export type Availability = Condition;

const condition = (status: Condition['status'], reason: string, message: string): Availability => ({
  type: 'Available',
  status,
  reason,
  message,
});

export const LOCAL = condition('True', 'Local', 'Local APIServices are always available');
const PASSED = condition('True', 'Passed', 'all checks passed');

export interface AvailabilityChecks {
  readonly source: ServiceSource;
  /** Requests the discovery document of the extension server. Rejects with the reason of the failure. */
  probe(registered: RegisteredVersion, service: BackendService): Promise<void>;
}

/** The reason of a failed discovery request; it is checked again after a back-off. */
export const DISCOVERY_FAILED = 'FailedDiscoveryCheck';

/** Determines whether a version is available, with kube-apiserver's reasons and texts. */
export async function checkAvailability(
  registered: RegisteredVersion,
  { source, probe }: AvailabilityChecks,
): Promise<Availability> {
  const { service } = registered;
  if (service === undefined) return LOCAL;
  const failed = await checkService(service, source);
  if (failed !== undefined) return failed;
  try {
    await probe(registered, service);
    return PASSED;
  } catch (error) {
    return condition('False', DISCOVERY_FAILED, (error as Error).message);
  }
}

/** The problem of the Service or of its Endpoints. */
async function checkService(
  { namespace, name, port }: BackendService,
  source: ServiceSource,
): Promise<Availability | undefined> {
  const named = `service/${name} in ${quote(namespace)}`;
  const unreadable = (reason: string, error: unknown) =>
    condition('Unknown', reason, `${named} cannot be checked due to: ${(error as Error).message}`);
  let service: Awaited<ReturnType<ServiceSource['service']>>;
  try {
    service = await source.service(namespace, name);
  } catch (error) {
    return unreadable('ServiceAccessError', error);
  }
  if (service === undefined) return condition('False', 'ServiceNotFound', `${named} is not present`);
  // Other types may lead anywhere: only their discovery is checked.
  if ((service.spec?.type ?? 'ClusterIP') !== 'ClusterIP') return undefined;
  const servicePort = service.spec?.ports?.find((candidate) => candidate.port === port);
  if (servicePort === undefined)
    return condition('False', 'ServicePortError', `${named} is not listening on port ${port}`);
  const portName = servicePort.name ?? '';
  let endpoints: Awaited<ReturnType<ServiceSource['endpoints']>>;
  try {
    endpoints = await source.endpoints(namespace, name);
  } catch (error) {
    return unreadable('EndpointsAccessError', error);
  }
  if (endpoints === undefined)
    return condition('False', 'EndpointsNotFound', `cannot find ${source.endpointsResource} for ${named}`);
  const isReady = (endpoints.subsets ?? []).some(
    ({ addresses = [], ports = [] }) =>
      addresses.length > 0 && ports.some((candidate) => (candidate.name ?? '') === portName),
  );
  if (isReady) return undefined;
  const text = `${source.endpointsResource} for ${named} have no addresses with port name ${quote(portName)}`;
  return condition('False', 'MissingEndpoints', text);
}
