import type { Life } from '../model/life.ts';
import type { Scheme } from '../model/scheme.ts';
import type { FeatureGates } from '../options/feature-gates.ts';
import type { DeviceResources } from '../reconcile/devices.ts';
import type { SchedulerSettings } from '../scheduler/executor/settings.ts';

/** Since this release, a claim for all devices needs at least one. */
const ALL_IS_AT_LEAST_ONE: Life = { since: '1.33' };
/** Since this release, a claim with access for administrators does not get a device twice. */
const CHOOSES_ONCE_PER_CLAIM: Life = { since: '1.34' };
/** Since this release, incomplete and invalid pools are skipped, and judged by all of their slices. */
const USES_WHOLE_POOLS: Life = { since: '1.35' };

/** What release and feature gates say about the scheduler. */
export const schedulerSettings = (
  { gates, scheme }: { readonly gates: FeatureGates; readonly scheme: Pick<Scheme, 'has'> },
  resources: DeviceResources,
): SchedulerSettings => ({
  rules: {
    podLevelResources: gates.enabled('PodLevelResources'),
    resizedPods: gates.enabled('InPlacePodVerticalScaling'),
  },
  devices: gates.enabled('DynamicResourceAllocation')
    ? {
        rules: {
          allowsAdminAccess: gates.enabled('DRAAdminAccess'),
          allIsAtLeastOne: scheme.has(ALL_IS_AT_LEAST_ONE),
          choosesOncePerClaim: scheme.has(CHOOSES_ONCE_PER_CLAIM),
          usesWholePools: scheme.has(USES_WHOLE_POOLS),
          checksTaints: gates.enabled('DRADeviceTaints'),
          sharesCounters: gates.enabled('DRAPartitionableDevices'),
        },
        resources,
      }
    : undefined,
});
