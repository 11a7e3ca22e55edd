import type { Declarations } from '../declare.ts';

export default {
  family: 'batch_v1',
  group: 'batch',
  version: 'v1',
  protobuf: 'k8s.io.api.batch.v1',
  types: `
CronJob kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 CronJobSpec required@1.36
  status 3 CronJobStatus

CronJobList kind
  metadata 1 meta_v1.ListMeta
  items 2 []CronJob required

CronJobSpec
  @json schedule timeZone startingDeadlineSeconds concurrencyPolicy suspend jobTemplate successfulJobsHistoryLimit failedJobsHistoryLimit
  schedule 1 string required
  startingDeadlineSeconds 2 *int64
  concurrencyPolicy 3 string enum=Allow|Forbid|Replace go=ConcurrencyPolicy
  suspend 4 *boolean
  jobTemplate 5 JobTemplateSpec required
  successfulJobsHistoryLimit 6 *int32
  failedJobsHistoryLimit 7 *int32
  timeZone 8 *string

CronJobStatus
  active 1 []core_v1.ObjectReference list=atomic
  lastScheduleTime 4 *meta_v1.Time
  lastSuccessfulTime 5 *meta_v1.Time

Job kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 JobSpec
  status 3 JobStatus

JobCondition
  type 1 string required go=JobConditionType
  status 2 string required go=ConditionStatus
  lastProbeTime 3 meta_v1.Time
  lastTransitionTime 4 meta_v1.Time
  reason 5 string
  message 6 string

JobList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Job required

JobSchedulingConfiguration since=1.37
  schedulingPolicy 1 *scheduling_v1alpha3.WorkloadPodGroupSchedulingPolicy
  schedulingConstraints 2 *scheduling_v1alpha3.WorkloadPodGroupSchedulingConstraints
  disruptionMode 3 *scheduling_v1alpha3.WorkloadPodGroupDisruptionMode
  resourceClaims 4 []scheduling_v1alpha3.WorkloadPodGroupResourceClaim list=map(name) patch=merge

JobSpec
  @json parallelism completions activeDeadlineSeconds podFailurePolicy successPolicy backoffLimit backoffLimitPerIndex maxFailedIndexes selector manualSelector template ttlSecondsAfterFinished completionMode suspend podReplacementPolicy managedBy scheduling
  parallelism 1 *int32
  completions 2 *int32
  activeDeadlineSeconds 3 *int64
  selector 4 *meta_v1.LabelSelector
  manualSelector 5 *boolean
  template 6 core_v1.PodTemplateSpec required
  backoffLimit 7 *int32
  ttlSecondsAfterFinished 8 *int32
  completionMode 9 *string enum=Indexed|NonIndexed go=CompletionMode
  suspend 10 *boolean
  podFailurePolicy 11 *PodFailurePolicy
  backoffLimitPerIndex 12 *int32
  maxFailedIndexes 13 *int32
  podReplacementPolicy 14 *string enum=Failed|TerminatingOrFailed go=PodReplacementPolicy
  managedBy 15 *string
  successPolicy 16 *SuccessPolicy
  scheduling 17 *JobSchedulingConfiguration since=1.37

JobStatus
  @json conditions startTime completionTime active succeeded failed terminating completedIndexes failedIndexes uncountedTerminatedPods ready
  conditions 1 []JobCondition list=atomic patch=merge(type)
  startTime 2 *meta_v1.Time
  completionTime 3 *meta_v1.Time
  active 4 int32
  succeeded 5 int32
  failed 6 int32
  completedIndexes 7 string
  uncountedTerminatedPods 8 *UncountedTerminatedPods
  ready 9 *int32
  failedIndexes 10 *string
  terminating 11 *int32

JobTemplateSpec
  metadata 1 meta_v1.ObjectMeta
  spec 2 JobSpec

PodFailurePolicy
  rules 1 []PodFailurePolicyRule required list=atomic

PodFailurePolicyOnExitCodesRequirement
  containerName 1 *string
  operator 2 string required enum=In|NotIn go=PodFailurePolicyOnExitCodesOperator
  values 3 []int32 required itemsDefault=0 list=set

PodFailurePolicyOnPodConditionsPattern
  type 1 string required go=PodConditionType
  status 2 string required@-1.35 shown@1.35 default@1.35="" go=ConditionStatus

PodFailurePolicyRule
  action 1 string required enum=Count|FailIndex|FailJob|Ignore go=PodFailurePolicyAction
  onExitCodes 2 *PodFailurePolicyOnExitCodesRequirement
  onPodConditions 3 []PodFailurePolicyOnPodConditionsPattern list=atomic

SuccessPolicy
  rules 1 []SuccessPolicyRule required list=atomic

SuccessPolicyRule
  succeededIndexes 1 *string
  succeededCount 2 *int32

UncountedTerminatedPods
  succeeded 1 []string list=set go=types.UID
  failed 2 []string list=set go=types.UID
`,
} satisfies Declarations;
