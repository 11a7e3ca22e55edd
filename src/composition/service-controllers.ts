import type { OptionSlice } from '../options/flags/table.ts';
import type { ServiceControllerNeeds } from '../workloads/service-controllers.ts';

/** Flags of kube-controller-manager that the controllers of endpoints take. */
type ServiceControllerOptions = OptionSlice<
  | 'concurrentEndpointSyncs'
  | 'concurrentServiceEndpointSyncs'
  | 'endpointUpdatesBatchPeriod'
  | 'endpointsliceUpdatesBatchPeriod'
  | 'maxEndpointsPerSlice'
  | 'mirroringConcurrentServiceEndpointSyncs'
  | 'mirroringEndpointsliceUpdatesBatchPeriod'
  | 'mirroringMaxEndpointsPerSubset'
>;

/** The settings of the controllers of endpoints. */
export const serviceControllerSettings = ({
  concurrentEndpointSyncs,
  concurrentServiceEndpointSyncs,
  endpointUpdatesBatchPeriod,
  endpointsliceUpdatesBatchPeriod,
  maxEndpointsPerSlice,
  mirroringConcurrentServiceEndpointSyncs,
  mirroringEndpointsliceUpdatesBatchPeriod,
  mirroringMaxEndpointsPerSubset,
}: ServiceControllerOptions): ServiceControllerNeeds => ({
  endpoints: { workers: concurrentEndpointSyncs, batchPeriod: endpointUpdatesBatchPeriod },
  endpointSlices: {
    workers: concurrentServiceEndpointSyncs,
    batchPeriod: endpointsliceUpdatesBatchPeriod,
    maximum: maxEndpointsPerSlice,
  },
  mirroring: {
    workers: mirroringConcurrentServiceEndpointSyncs,
    batchPeriod: mirroringEndpointsliceUpdatesBatchPeriod,
    maximum: mirroringMaxEndpointsPerSubset,
  },
});
