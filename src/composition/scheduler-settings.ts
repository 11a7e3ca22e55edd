import type { FeatureGates } from '../options/feature-gates.ts';
import type { DeviceResources } from '../reconcile/devices.ts';
import type { SchedulerSettings } from '../scheduler/executor/settings.ts';

/** What feature gates say about the scheduler. */
export const schedulerSettings = (gates: FeatureGates, resources: DeviceResources): SchedulerSettings => ({
  rules: {
    podLevelResources: gates.enabled('PodLevelResources'),
    resizedPods: gates.enabled('InPlacePodVerticalScaling'),
  },
  devices: gates.enabled('DynamicResourceAllocation')
    ? { allowsAdminAccess: gates.enabled('DRAAdminAccess'), resources }
    : undefined,
});
