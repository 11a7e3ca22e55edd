/** The releases that `--emulated-version` accepts. */
export const EMULATED_VERSIONS = ['1.31', '1.32'] as const;
export type EmulatedVersion = (typeof EMULATED_VERSIONS)[number];

/** Gates that release 1.32 introduced: with an older emulated version they are off and cannot be set. */
export const INTRODUCED_IN_1_32: ReadonlySet<string> = new Set([
  'AllowOverwriteTerminationGracePeriodSeconds',
  'AllowUnsafeMalformedObjectDeletion',
  'BtreeWatchCache',
  'CBORServingAndStorage',
  'DRAAdminAccess',
  'DRAResourceClaimDeviceStatus',
  'ExternalServiceAccountTokenSigner',
  'InPlacePodVerticalScalingAllocatedStatus',
  'InPlacePodVerticalScalingExclusiveCPUs',
  'KubeletCrashLoopBackOffMax',
  'KubeletFineGrainedAuthz',
  'KubeletRegistrationGetOnExistsOnly',
  'MutatingAdmissionPolicy',
  'PodLevelResources',
  'PodLifecycleSleepActionAllowZero',
  'PodLogsQuerySplitStreams',
  'RelaxedDNSSearchValidation',
  'RemoteRequestHeaderUID',
  'SELinuxChangePolicy',
  'SchedulerAsyncPreemption',
  'ServiceAccountNodeAudienceRestriction',
  'SystemdWatchdog',
  'WindowsCPUAndMemoryAffinity',
  'WindowsGracefulNodeShutdown',
]);

type Stage = 'ALPHA' | 'BETA' | 'DEPRECATED';

/** Gates whose stage or default was another one in release 1.31; none of them was locked then. */
export const STAGES_IN_1_31: ReadonlyMap<string, { readonly stage: Stage; readonly enabled: boolean }> =
  new Map(
    (
      [
        ['DEPRECATED', false, ['AllowServiceLBStatusOnNonLB']],
        [
          'ALPHA',
          false,
          [
            'AnonymousAuthConfigurableEndpoints',
            'AuthorizeNodeWithSelectors',
            'AuthorizeWithSelectors',
            'DynamicResourceAllocation',
            'JobManagedBy',
            'RecoverVolumeExpansionFailure',
            'RelaxedEnvironmentVariableValidation',
            'WatchList',
          ],
        ],
        [
          'BETA',
          false,
          ['SchedulerQueueingHints', 'StrictCostEnforcementForVAP', 'StrictCostEnforcementForWebhooks'],
        ],
        [
          'BETA',
          true,
          [
            'CronJobsScheduledAnnotation',
            'CustomResourceFieldSelectors',
            'LoadBalancerIPMode',
            'MemoryManager',
            'PodIndexLabel',
            'RetryGenerateName',
            'ServiceAccountTokenJTI',
            'ServiceAccountTokenNodeBindingValidation',
            'ServiceAccountTokenPodNodeInfo',
            'SizeMemoryBackedVolumes',
            'StatefulSetAutoDeletePVC',
            'StructuredAuthorizationConfiguration',
            'TopologyManagerPolicyOptions',
          ],
        ],
      ] as const
    ).flatMap(([stage, enabled, gates]) => gates.map((gate) => [gate, { stage, enabled }] as const)),
  );

/** Group versions that release 1.32 introduced. */
export const GROUP_VERSIONS_OF_1_32: ReadonlySet<string> = new Set([
  'coordination.k8s.io/v1alpha2',
  'resource.k8s.io/v1beta1',
]);

/** The release of `--emulated-version`; the values have been validated. */
export function emulatedVersion(values: readonly string[]): EmulatedVersion {
  const last = values.at(-1) ?? '';
  return /(?:^|=)v?1\.31(?:\.|$)/.test(last) ? '1.31' : '1.32';
}
