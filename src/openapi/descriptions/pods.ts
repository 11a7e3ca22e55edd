/** Pods and their parts. */
export default `
Pod: Containers that run together on one node and share network and volumes.
PodSpec: What a pod runs, and how and where.
  volumes: Volumes that containers of the pod can mount.
  containers: Containers of the pod; at least one. They cannot be added or removed.
  initContainers: Containers that run one after the other before all others start. With restartPolicy Always they go on beside them.
  ephemeralContainers: Containers added to a running pod, to look into it.
  restartPolicy: What happens when a container ends: Always, OnFailure or Never. Default: Always.
  terminationGracePeriodSeconds: Seconds the containers have to end before they are killed. Default: 30.
  activeDeadlineSeconds: Seconds the pod may be active before it is ended.
  dnsPolicy: Where names are looked up: ClusterFirst, ClusterFirstWithHostNet, Default or None.
  dnsConfig: Servers and options for looking up names.
  nodeSelector: Labels that a node must have to run the pod.
  serviceAccountName: Identity under which the pod runs.
  serviceAccount: Older name of serviceAccountName.
  automountServiceAccountToken: Whether a token of the service account is mounted.
  nodeName: Node that runs the pod; set by the scheduler when empty.
  hostNetwork: Whether the pod uses the network of its node.
  hostPID: Whether the pod sees the processes of its node.
  hostIPC: Whether the pod shares memory with processes of its node.
  hostUsers: Whether the pod uses the users of its node, instead of its own.
  shareProcessNamespace: Whether containers of the pod see each other's processes.
  securityContext: Rights and users for all containers.
  imagePullSecrets: Credentials for pulling images.
  hostname: Name of the pod as host.
  subdomain: Makes the full name hostname.subdomain.namespace.svc of the cluster's domain.
  setHostnameAsFQDN: Whether the host name is the full one.
  affinity: Rules for which nodes, and beside which pods, the pod is placed.
  schedulerName: Scheduler that places the pod.
  tolerations: Taints of nodes that do not keep the pod away.
  hostAliases: Lines added to the hosts file.
  priorityClassName: Class that gives the pod its priority.
  priority: Priority of the pod; set from its class.
  preemptionPolicy: Whether the pod may drive off those with lower priority.
  readinessGates: Further conditions that must hold for the pod to be ready.
  runtimeClassName: Configuration of the container runtime.
  enableServiceLinks: Whether services of the namespace are told in the environment.
  overhead: Resources that the runtime itself needs.
  topologySpreadConstraints: How pods are spread over zones, nodes and the like.
  os: Operating system the pod needs.
  schedulingGates: Names of those who must agree before the pod is placed.
  resourceClaims: Claims of devices that containers can use.
  resources: Resources of all containers together.
PodTemplateSpec: The pods that something makes: their labels and what they run.
PodStatus: State of a pod.
  phase: Pending, Running, Succeeded, Failed or Unknown.
  podIP: First address of the pod.
  podIPs: Addresses of the pod, one for each family.
  hostIP: Address of the node.
  startTime: When the node took the pod on.
  containerStatuses: State of each container.
  initContainerStatuses: State of each init container.
  qosClass: Guaranteed, Burstable or BestEffort, from the resources asked for.
  nominatedNodeName: Node on which others are being driven off for this pod.
Container: A program in a pod.
  name: Name of the container, unique in the pod.
  image: Image to run.
  imagePullPolicy: Always, IfNotPresent or Never. Default: Always for the tag latest, IfNotPresent otherwise.
  command: Program and arguments, instead of those of the image.
  args: Arguments of the program, instead of those of the image.
  workingDir: Directory in which the program starts.
  ports: Ports at which it listens. Naming them informs; others can be reached too.
  env: Variables of the environment.
  envFrom: Config maps and secrets whose entries become variables.
  resources: Resources it needs and may use.
  resizePolicy: Whether it is restarted when its resources change.
  restartPolicy: Always makes an init container run on beside the others.
  volumeMounts: Where volumes of the pod are mounted.
  volumeDevices: Where raw block devices appear.
  livenessProbe: Check whether it still works; failing, it is restarted.
  readinessProbe: Check whether it can serve; failing, it gets no requests of services.
  startupProbe: Check whether it has started; until then the other checks wait.
  lifecycle: What is done after its start and before its end.
  terminationMessagePath: File from which its last message is read.
  terminationMessagePolicy: Whether its log stands in for that file.
  securityContext: Rights and users of this container.
  stdin: Whether it has a standard input.
  stdinOnce: Whether the standard input ends with the first client.
  tty: Whether it has a terminal.
ContainerPort: A port of a container.
  name: Name by which services can refer to it.
  containerPort: Number of the port.
  hostPort: Port of the node that leads to it.
  hostIP: Address of the node to use.
  protocol: TCP, UDP or SCTP. Default: TCP.
EnvVar: A variable of the environment.
  name: Name of the variable.
  value: Its value; $(NAME) stands for another variable.
  valueFrom: Where its value comes from.
EnvVarSource: Where a variable's value comes from.
  fieldRef: A field of the pod.
  resourceFieldRef: A resource of the container.
  configMapKeyRef: An entry of a config map.
  secretKeyRef: An entry of a secret.
ResourceRequirements: Resources of a container.
  requests: Amounts that are reserved.
  limits: Amounts that cannot be exceeded.
  claims: Claimed devices.
Volume: Storage that containers of a pod can mount.
  name: Name of the volume, unique in the pod.
  emptyDir: An empty directory that lives as long as the pod.
  hostPath: A path of the node.
  configMap: Entries of a config map as files.
  secret: Entries of a secret as files.
  persistentVolumeClaim: The volume that a claim is bound to.
  projected: Several sources in one directory.
  downwardAPI: Fields of the pod as files.
  ephemeral: A claim that lives as long as the pod.
  csi: A volume that a driver makes for the pod.
  nfs: A directory of an NFS server.
VolumeMount: Where a container has a volume.
  name: Name of the volume.
  mountPath: Path in the container.
  subPath: Path in the volume. Default: its root.
  readOnly: Whether it cannot be written.
Probe: A check that is repeated.
  exec: Command that must succeed.
  httpGet: HTTP request that must succeed.
  tcpSocket: Port that must accept connections.
  grpc: gRPC health check that must succeed.
  initialDelaySeconds: Seconds before the first check.
  timeoutSeconds: Seconds after which a check has failed. Default: 1.
  periodSeconds: Seconds between checks. Default: 10.
  successThreshold: Successes in a row that count as success. Default: 1.
  failureThreshold: Failures in a row that count as failure. Default: 3.
SecurityContext: Rights and users of a container.
  runAsUser: User id of the program.
  runAsGroup: Group id of the program.
  runAsNonRoot: Whether the program must not run as root.
  privileged: Whether it has all rights of the node.
  readOnlyRootFilesystem: Whether its own files cannot be written.
  allowPrivilegeEscalation: Whether it can gain more rights than its parent.
  capabilities: Capabilities added and dropped.
  seccompProfile: Which system calls it may make.
Affinity: Rules for where a pod is placed.
  nodeAffinity: Which nodes.
  podAffinity: Near which pods.
  podAntiAffinity: Away from which pods.
Toleration: A taint that does not keep a pod away.
  key: Key of the taint. Empty with Exists: all taints.
  operator: Exists or Equal. Default: Equal.
  value: Value of the taint.
  effect: Effect of the taint. Empty: all effects.
  tolerationSeconds: How long a taint NoExecute is tolerated. Unset: forever.
ContainerStatus: State of a container.
  ready: Whether it can serve.
  restartCount: How often it was restarted.
  state: What it is doing.
  lastState: How it ended last.
`;
