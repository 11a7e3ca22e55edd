import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
ConfigMapEnvSource
  localObjectReference 1 LocalObjectReference inline
  optional 2 *boolean

Container
  @json name image command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty
  name 1 string required
  image 2 string
  command 3 []string list=atomic
  args 4 []string list=atomic
  workingDir 5 string
  ports 6 []ContainerPort list=map(containerPort,protocol) patch=merge(containerPort)
  env 7 []EnvVar list=map(name) patch=merge
  resources 8 ResourceRequirements
  volumeMounts 9 []VolumeMount list=map(mountPath) patch=merge
  livenessProbe 10 *Probe
  readinessProbe 11 *Probe
  lifecycle 12 *Lifecycle
  terminationMessagePath 13 string
  imagePullPolicy 14 string enum=Always|IfNotPresent|Never go=PullPolicy
  securityContext 15 *SecurityContext
  stdin 16 boolean
  stdinOnce 17 boolean
  tty 18 boolean
  envFrom 19 []EnvFromSource list=atomic
  terminationMessagePolicy 20 string enum=FallbackToLogsOnError|File go=TerminationMessagePolicy
  volumeDevices 21 []VolumeDevice list=map(devicePath) patch=merge
  startupProbe 22 *Probe
  resizePolicy 23 []ContainerResizePolicy list=atomic
  restartPolicy 24 *string go=ContainerRestartPolicy
  restartPolicyRules 25 []ContainerRestartRule list=atomic since=1.34

ContainerPort
  name 1 string
  hostPort 2 int32
  containerPort 3 int32 required
  protocol 4 string default="TCP" enum=SCTP|TCP|UDP go=Protocol
  hostIP 5 string

ContainerResizePolicy
  resourceName 1 string required go=ResourceName
  restartPolicy 2 string required go=ResourceResizeRestartPolicy

ContainerRestartRule since=1.34
  action 1 string required omitted nodefault go=ContainerRestartRuleAction
  exitCodes 2 *ContainerRestartRuleOnExitCodes

ContainerRestartRuleOnExitCodes since=1.34
  operator 1 string required omitted nodefault go=ContainerRestartRuleOnExitCodesOperator
  values 2 []int32 list=set

ContainerState
  waiting 1 *ContainerStateWaiting
  running 2 *ContainerStateRunning
  terminated 3 *ContainerStateTerminated

ContainerStateRunning
  startedAt 1 meta_v1.Time

ContainerStateTerminated
  exitCode 1 int32 required
  signal 2 int32
  reason 3 string
  message 4 string
  startedAt 5 meta_v1.Time
  finishedAt 6 meta_v1.Time
  containerID 7 string

ContainerStateWaiting
  reason 1 string
  message 2 string

ContainerStatus
  name 1 string required
  state 2 ContainerState
  lastState 3 ContainerState
  ready 4 boolean required
  restartCount 5 int32 required
  image 6 string required
  imageID 7 string required
  containerID 8 string
  started 9 *boolean
  allocatedResources 10 map:quantity.Quantity
  resources 11 *ResourceRequirements
  volumeMounts 12 []VolumeMountStatus list=map(mountPath) patch=merge
  user 13 *ContainerUser
  allocatedResourcesStatus 14 []ResourceStatus list=map(name) patch=merge
  stopSignal 15 *string enum=SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ go=Signal since=1.33

ContainerUser
  linux 1 *LinuxContainerUser

EnvFromSource
  prefix 1 string
  configMapRef 2 *ConfigMapEnvSource
  secretRef 3 *SecretEnvSource

EnvVar
  name 1 string required
  value 2 string
  valueFrom 3 *EnvVarSource

EnvVarSource
  fieldRef 1 *ObjectFieldSelector
  resourceFieldRef 2 *ResourceFieldSelector
  configMapKeyRef 3 *ConfigMapKeySelector
  secretKeyRef 4 *SecretKeySelector
  fileKeyRef 5 *FileKeySelector since=1.34

EphemeralContainer
  ephemeralContainerCommon 1 EphemeralContainerCommon inline
  targetContainerName 2 string

EphemeralContainerCommon unpublished
  @json name image command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty
  name 1 string required
  image 2 string
  command 3 []string list=atomic
  args 4 []string list=atomic
  workingDir 5 string
  ports 6 []ContainerPort list=map(containerPort,protocol) patch=merge(containerPort)
  env 7 []EnvVar list=map(name) patch=merge
  resources 8 ResourceRequirements
  volumeMounts 9 []VolumeMount list=map(mountPath) patch=merge
  livenessProbe 10 *Probe
  readinessProbe 11 *Probe
  lifecycle 12 *Lifecycle
  terminationMessagePath 13 string
  imagePullPolicy 14 string enum=Always|IfNotPresent|Never go=PullPolicy
  securityContext 15 *SecurityContext
  stdin 16 boolean
  stdinOnce 17 boolean
  tty 18 boolean
  envFrom 19 []EnvFromSource list=atomic
  terminationMessagePolicy 20 string enum=FallbackToLogsOnError|File go=TerminationMessagePolicy
  volumeDevices 21 []VolumeDevice list=map(devicePath) patch=merge
  startupProbe 22 *Probe
  resizePolicy 23 []ContainerResizePolicy list=atomic
  restartPolicy 24 *string go=ContainerRestartPolicy
  restartPolicyRules 25 []ContainerRestartRule list=atomic since=1.34

ExecAction
  command 1 []string list=atomic

FileKeySelector map=atomic since=1.34
  volumeName 1 string required
  path 2 string required
  key 3 string required
  optional 4 *boolean default=false

GRPCAction
  port 1 int32 required
  service 2 *string default="" shown
  mode 3 *string enum=Plaintext|TLS go=GRPCProbeMode since=1.37

HTTPGetAction
  path 1 string
  port 2 intstr.IntOrString required
  host 3 string
  scheme 4 string enum=HTTP|HTTPS go=URIScheme
  httpHeaders 5 []HTTPHeader list=atomic
  protocol 6 *string enum=HTTP1|HTTP2 go=HTTPProtocol since=1.37

HTTPHeader
  name 1 string required
  value 2 string required

Lifecycle
  postStart 1 *LifecycleHandler
  preStop 2 *LifecycleHandler
  stopSignal 3 *string enum=SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ go=Signal since=1.33

LifecycleHandler
  exec 1 *ExecAction
  httpGet 2 *HTTPGetAction
  tcpSocket 3 *TCPSocketAction
  sleep 4 *SleepAction

LinuxContainerUser
  uid 1 int64 required
  gid 2 int64 required
  supplementalGroups 3 []int64 itemsDefault=0 list=atomic

Probe
  probeHandler 1 ProbeHandler inline protobuf=handler
  initialDelaySeconds 2 int32
  timeoutSeconds 3 int32
  periodSeconds 4 int32
  successThreshold 5 int32
  failureThreshold 6 int32
  terminationGracePeriodSeconds 7 *int64

ProbeHandler unpublished
  exec 1 *ExecAction
  httpGet 2 *HTTPGetAction
  tcpSocket 3 *TCPSocketAction
  grpc 4 *GRPCAction

ResourceClaim
  name 1 string required
  request 2 string

ResourceHealth
  resourceID 1 string required go=ResourceID
  health 2 string go=ResourceHealthStatus
  message 6 *string since=1.36

ResourceRequirements
  limits 1 map:quantity.Quantity
  requests 2 map:quantity.Quantity
  claims 3 []ResourceClaim list=map(name)

ResourceStatus
  name 1 string required go=ResourceName
  resources 2 []ResourceHealth list=map(resourceID)

SecretEnvSource
  localObjectReference 1 LocalObjectReference inline
  optional 2 *boolean

SleepAction
  seconds 1 int64 required

TCPSocketAction
  port 1 intstr.IntOrString required
  host 2 string
`,
} satisfies Declarations;
