import { duration, integer } from './flag.ts';

/** Flags of kube-controller-manager for the endpoints of Services, with its names and defaults. */
export const SERVICE_CONTROLLERS = {
  concurrentEndpointSyncs: integer(5, 'Services whose Endpoints are written at the same time.'),
  concurrentServiceEndpointSyncs: integer(5, 'Services whose EndpointSlices are written at the same time.'),
  endpointUpdatesBatchPeriod: duration(
    '0s',
    'Time by which a change of Pods waits for others before Endpoints are written.',
  ),
  endpointsliceUpdatesBatchPeriod: duration(
    '0s',
    'Time by which a change of Pods waits for others before EndpointSlices are written.',
  ),
  maxEndpointsPerSlice: integer(100, 'Most endpoints of an EndpointSlice.'),
  mirroringConcurrentServiceEndpointSyncs: integer(
    5,
    'Endpoints that are mirrored to EndpointSlices at the same time.',
  ),
  mirroringEndpointsliceUpdatesBatchPeriod: duration(
    '0s',
    'Time by which a change of EndpointSlices that mirror Endpoints waits for others before they are corrected.',
  ),
  mirroringMaxEndpointsPerSubset: integer(
    1000,
    'Most addresses of a subset of Endpoints that are mirrored to an EndpointSlice.',
  ),
};
