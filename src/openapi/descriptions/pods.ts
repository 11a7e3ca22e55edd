/** Pods and their parts. */
export default `
Pod: Group of containers that run on the same node and share network and volumes.
PodSpec: Specification of a pod.
  volumes: Volumes that the containers can mount.
  containers: Containers of the pod; at least one. Containers cannot be added or removed.
  initContainers: Containers that run in order before the containers start. With restartPolicy Always they keep running as sidecars.
  ephemeralContainers: Containers that are added to a running pod for debugging.
  restartPolicy: Restart policy of the containers: Always, OnFailure or Never. Default: Always.
  terminationGracePeriodSeconds: Seconds that processes have to terminate before they are killed. Default: 30.
  activeDeadlineSeconds: Maximum duration in seconds for which the pod may be active.
  dnsPolicy: DNS policy: ClusterFirst, ClusterFirstWithHostNet, Default or None. Default: ClusterFirst.
  dnsConfig: DNS servers and options of the pod.
  nodeSelector: Labels that the node must have.
  serviceAccountName: Name of the service account of the pod.
  serviceAccount: Deprecated alias of serviceAccountName.
  automountServiceAccountToken: Whether a service account token is mounted.
  nodeName: Name of the node that runs the pod, set by the scheduler.
  hostNetwork: Whether the pod uses the network namespace of the node.
  hostPID: Whether the pod uses the process namespace of the node.
  hostIPC: Whether the pod uses the IPC namespace of the node.
  hostUsers: Whether the pod uses the user namespace of the node. Default: true.
  shareProcessNamespace: Whether all containers share one process namespace.
  securityContext: Security attributes of the pod and defaults for its containers.
  imagePullSecrets: Secrets for pulling images.
  hostname: Host name of the pod.
  subdomain: Subdomain of the pod. The full name is hostname.subdomain.namespace.svc in the cluster domain.
  setHostnameAsFQDN: Whether the host name is the fully qualified domain name.
  affinity: Scheduling constraints by affinity to nodes and pods.
  schedulerName: Name of the scheduler that schedules the pod.
  tolerations: Tolerations of node taints.
  hostAliases: Entries that are added to the hosts file.
  priorityClassName: Name of the priority class.
  priority: Priority of the pod, set from the priority class.
  preemptionPolicy: Whether the pod may preempt pods of lower priority: PreemptLowerPriority or Never.
  readinessGates: Additional conditions that must be true for the pod to be ready.
  runtimeClassName: Name of the runtime class.
  enableServiceLinks: Whether environment variables for the services of the namespace are set. Default: true.
  overhead: Resource overhead of the runtime class.
  topologySpreadConstraints: Constraints for the distribution of pods over topology domains such as zones and nodes.
  os: Operating system of the containers.
  schedulingGates: Gates that must be removed before the pod is scheduled.
  resourceClaims: Resource claims that the containers can use.
  resources: Total resource requirements of all containers.
PodTemplateSpec: Labels, annotations and specification of the pods that a workload creates.
PodStatus: Status of a pod.
  phase: Pending, Running, Succeeded, Failed or Unknown.
  podIP: Primary IP address of the pod.
  podIPs: IP addresses of the pod, at most one per IP family.
  hostIP: IP address of the node.
  startTime: Time at which the kubelet accepted the pod.
  containerStatuses: Statuses of the containers.
  initContainerStatuses: Statuses of the init containers.
  qosClass: Quality of service class from the resource requirements: Guaranteed, Burstable or BestEffort.
  nominatedNodeName: Node on which pods are being preempted for this pod.
Container: Container of a pod.
  name: Name of the container, unique in the pod.
  image: Container image.
  imagePullPolicy: Always, IfNotPresent or Never. Default: Always for the tag latest, otherwise IfNotPresent.
  command: Entry point. Default: the entry point of the image.
  args: Arguments of the entry point. Default: the arguments of the image.
  workingDir: Working directory of the process.
  ports: Ports that the container exposes. The list is informational: other ports are reachable too.
  env: Environment variables.
  envFrom: Config maps and secrets whose entries become environment variables.
  resources: Resource requirements of the container.
  resizePolicy: Whether the container is restarted when its resources change.
  restartPolicy: Always makes an init container a sidecar. Not allowed for other containers.
  volumeMounts: Mounts of the pod's volumes.
  volumeDevices: Block devices of the container.
  livenessProbe: Probe that restarts the container when it fails.
  readinessProbe: Probe that removes the pod from service endpoints when it fails.
  startupProbe: Probe that must succeed before the other probes run.
  lifecycle: Handlers that run after the start and before the termination of the container.
  terminationMessagePath: File from which the termination message is read.
  terminationMessagePolicy: Whether the termination message falls back to the log of the container.
  securityContext: Security attributes of the container.
  stdin: Whether a standard input is allocated.
  stdinOnce: Whether the standard input is closed after the first client disconnects.
  tty: Whether a terminal is allocated. Requires stdin.
ContainerPort: Port that a container exposes.
  name: Name of the port, to which services can refer.
  containerPort: Port number.
  hostPort: Port of the node that is mapped to the port.
  hostIP: IP address of the node to which the host port is bound.
  protocol: TCP, UDP or SCTP. Default: TCP.
EnvVar: Environment variable.
  name: Name of the variable.
  value: Value of the variable. References of the form $(NAME) to other variables are expanded.
  valueFrom: Source of the value.
EnvVarSource: Source of an environment variable's value.
  fieldRef: Field of the pod.
  resourceFieldRef: Resource of the container.
  configMapKeyRef: Key of a config map.
  secretKeyRef: Key of a secret.
ResourceRequirements: Resource requirements of a container.
  requests: Minimum resources, which the scheduler reserves.
  limits: Maximum resources.
  claims: Resource claims that the container uses.
Volume: Volume of a pod.
  name: Name of the volume, unique in the pod.
  emptyDir: Empty directory that has the lifetime of the pod.
  hostPath: File or directory of the node.
  configMap: Keys of a config map as files.
  secret: Keys of a secret as files.
  persistentVolumeClaim: Persistent volume to which a claim is bound.
  projected: Several sources in one directory.
  downwardAPI: Fields of the pod as files.
  ephemeral: Claim that has the lifetime of the pod.
  csi: Ephemeral volume of a CSI driver.
  nfs: NFS export.
VolumeMount: Mount of a volume in a container.
  name: Name of the volume.
  mountPath: Path in the container at which the volume is mounted.
  subPath: Path in the volume to mount. Default: its root.
  readOnly: Whether the mount is read-only.
Probe: Periodic health check of a container.
  exec: Command that must exit with status 0.
  httpGet: HTTP request that must succeed.
  tcpSocket: TCP port that must accept connections.
  grpc: gRPC health check that must succeed.
  initialDelaySeconds: Seconds before the first check.
  timeoutSeconds: Timeout of a check in seconds. Default: 1.
  periodSeconds: Seconds between checks. Default: 10.
  successThreshold: Consecutive successes after which the probe succeeds. Default: 1.
  failureThreshold: Consecutive failures after which the probe fails. Default: 3.
SecurityContext: Security attributes of a container.
  runAsUser: User ID of the process.
  runAsGroup: Group ID of the process.
  runAsNonRoot: Whether the process must not run as root.
  privileged: Whether the container runs in privileged mode. Default: false.
  readOnlyRootFilesystem: Whether the root file system is read-only. Default: false.
  allowPrivilegeEscalation: Whether a process can gain more privileges than its parent process.
  capabilities: Linux capabilities to add and drop.
  seccompProfile: Seccomp profile of the container.
Affinity: Scheduling constraints of a pod.
  nodeAffinity: Affinity to nodes.
  podAffinity: Affinity to pods.
  podAntiAffinity: Anti-affinity to pods.
Toleration: Toleration of taints.
  key: Key of the taint. Empty with operator Exists: all taints.
  operator: Exists or Equal. Default: Equal.
  value: Value of the taint.
  effect: Effect of the taint. Empty: all effects.
  tolerationSeconds: Seconds for which a taint with effect NoExecute is tolerated. Absent: no limit.
ContainerStatus: Status of a container.
  ready: Whether the container is ready.
  restartCount: Number of restarts.
  state: Current state of the container.
  lastState: Previous terminated state of the container.
`;
