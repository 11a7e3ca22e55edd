/** Kinds that run pods: apps, batch, autoscaling, policy. */
export default `
Deployment: Keeps a number of equal pods running, and replaces them step by step when their template changes.
DeploymentSpec: What a deployment keeps running.
  replicas: Number of pods. Default: 1.
  selector: Labels of the pods that belong to it. They must be in the template; it cannot change.
  template: The pods to run.
  strategy: How pods are replaced when the template changes.
  minReadySeconds: Seconds a new pod must be ready to count as available. Default: 0.
  revisionHistoryLimit: How many old replica sets are kept for going back. Default: 10.
  paused: Whether changes of the template are not carried out for now.
  progressDeadlineSeconds: Seconds without progress after which a rollout counts as failed. Default: 600.
DeploymentStrategy: How pods are replaced.
  type: RollingUpdate replaces some at a time, Recreate ends all before new ones start.
  rollingUpdate: How many at a time.
RollingUpdateDeployment: How many pods are replaced at a time.
  maxUnavailable: Pods that may be missing, as number or percentage. Default: 25%.
  maxSurge: Pods that there may be in addition, as number or percentage. Default: 25%.
DeploymentStatus: State of a deployment.
  replicas: Pods that there are.
  updatedReplicas: Pods of the latest template.
  readyReplicas: Pods that are ready.
  availableReplicas: Pods that have been ready for long enough.
  unavailableReplicas: Pods still missing.
ReplicaSet: Keeps a number of equal pods running. Deployments make and use them.
ReplicaSetSpec: What a replica set keeps running.
  replicas: Number of pods. Default: 1.
  selector: Labels of the pods that belong to it.
  template: The pods to run.
  minReadySeconds: Seconds a new pod must be ready to count as available.
StatefulSet: Keeps pods running that each have a lasting name and storage of their own.
StatefulSetSpec: What a stateful set keeps running.
  replicas: Number of pods. Default: 1.
  selector: Labels of the pods that belong to it.
  template: The pods to run.
  serviceName: Headless service under which the pods have their names.
  volumeClaimTemplates: Claims that each pod gets for itself.
  podManagementPolicy: OrderedReady starts one after the other, Parallel all at once.
  updateStrategy: How pods are replaced when the template changes.
  persistentVolumeClaimRetentionPolicy: What happens to claims when pods or the set are gone.
  ordinals: Number of the first pod.
DaemonSet: Runs one pod on every node, or on some of them.
DaemonSetSpec: What a daemon set runs.
  selector: Labels of the pods that belong to it.
  template: The pods to run.
  updateStrategy: How pods are replaced when the template changes.
ControllerRevision: A former state of a stateful or daemon set, for going back.
  revision: Number of the state.
  data: The state.
Job: Runs pods until enough of them have succeeded.
JobSpec: What a job runs, how often and how long.
  parallelism: Most pods at a time. Default: 1.
  completions: Pods that must succeed.
  template: The pods to run.
  selector: Labels of the pods that belong to it. Usually set by the server.
  manualSelector: Whether selector was given by hand.
  backoffLimit: Failures after which the job has failed. Default: 6.
  backoffLimitPerIndex: Failures after which one index has failed.
  maxFailedIndexes: Failed indexes after which the job has failed.
  activeDeadlineSeconds: Seconds after which the job is ended.
  ttlSecondsAfterFinished: Seconds after its end at which the job is deleted.
  completionMode: NonIndexed: any successes count. Indexed: each index must succeed.
  suspend: Whether no pods run for now.
  podFailurePolicy: What single kinds of failure lead to.
  successPolicy: When an indexed job has succeeded before all indexes have.
  podReplacementPolicy: Whether a pod is replaced when it is being ended, or when it has ended.
  managedBy: Controller of the job, where it is not the usual one.
JobStatus: State of a job.
  active: Pods that run.
  succeeded: Pods that have succeeded.
  failed: Pods that have failed.
  startTime: When the job was started.
  completionTime: When the job was complete.
CronJob: Starts jobs by a schedule.
CronJobSpec: What is started when.
  schedule: When jobs start, in the format of cron.
  timeZone: Time zone of the schedule. Default: that of the controller.
  startingDeadlineSeconds: Seconds by which a job may start late before it counts as missed.
  concurrencyPolicy: Allow, Forbid or Replace: what happens while the former job still runs.
  suspend: Whether no more jobs are started.
  jobTemplate: The jobs to start.
  successfulJobsHistoryLimit: Successful jobs that are kept. Default: 3.
  failedJobsHistoryLimit: Failed jobs that are kept. Default: 1.
CronJobStatus: State of a cron job.
  active: Jobs that run now.
  lastScheduleTime: When a job was started last.
  lastSuccessfulTime: When a job succeeded last.
HorizontalPodAutoscaler: Sets the number of pods by their load.
HorizontalPodAutoscalerSpec: What is scaled by what.
  scaleTargetRef: What is scaled.
  minReplicas: Fewest pods. Default: 1.
  maxReplicas: Most pods.
  metrics: Values that decide.
  behavior: How fast it scales up and down.
  targetCPUUtilizationPercentage: Share of the requested CPU that is aimed at.
PodDisruptionBudget: Limits how many pods may be evicted at the same time.
PodDisruptionBudgetSpec: The limit.
  selector: Labels of the pods.
  minAvailable: Pods that must stay, as number or percentage.
  maxUnavailable: Pods that may be missing, as number or percentage.
  unhealthyPodEvictionPolicy: Whether pods that are not healthy can always be evicted.
Eviction: Asks for a pod to be deleted if its disruption budget allows it.
  deleteOptions: How it is to be deleted.
`;
