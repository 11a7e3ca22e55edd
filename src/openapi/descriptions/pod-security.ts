/** Security contexts of pods and containers. */
export const POD_SECURITY: Readonly<Record<string, string>> = {
  SecurityContext: 'Security attributes of a container.',
  'SecurityContext.runAsUser': 'User ID of the process.',
  'SecurityContext.runAsGroup': 'Group ID of the process.',
  'SecurityContext.runAsNonRoot': 'Whether the process must not run as root.',
  'SecurityContext.privileged': 'Whether the container runs in privileged mode. Default: false.',
  'SecurityContext.readOnlyRootFilesystem': 'Whether the root file system is read-only. Default: false.',
  'SecurityContext.allowPrivilegeEscalation':
    'Whether a process can gain more privileges than its parent process.',
  'SecurityContext.capabilities': 'Linux capabilities to add and drop.',
  'SecurityContext.seccompProfile': 'Seccomp profile of the container.',
  'SecurityContext.seLinuxOptions': 'SELinux labels of the container. Default: those of the pod.',
  'SecurityContext.windowsOptions': 'Settings for Windows; they take precedence over those of the pod.',
  'SecurityContext.procMount':
    'Default hides and protects parts of /proc; Unmasked shows them and needs hostUsers false. Default: Default.',
  'SecurityContext.appArmorProfile': 'AppArmor profile of the container. Default: that of the pod.',
  PodSecurityContext: 'Security attributes of a pod, and defaults for its containers.',
  'PodSecurityContext.seLinuxOptions': 'SELinux labels of the containers. Default: chosen by the runtime.',
  'PodSecurityContext.windowsOptions': 'Settings for Windows. Not for pods of Linux.',
  'PodSecurityContext.runAsUser':
    'User identifier of the processes. Default: that of the image. Not for Windows.',
  'PodSecurityContext.runAsGroup':
    'Primary group identifier of the processes. Default: that of the runtime. Not for Windows.',
  'PodSecurityContext.runAsNonRoot': 'If true, containers that would run as root do not start.',
  'PodSecurityContext.supplementalGroups': 'Further group identifiers of the processes. Not for Windows.',
  'PodSecurityContext.supplementalGroupsPolicy':
    'Merge adds the groups that the image has for the user; Strict does not. Default: Merge. Not for Windows.',
  'PodSecurityContext.fsGroup':
    'Group that owns the files of volumes that support it, and to which the processes belong. Not for Windows.',
  'PodSecurityContext.sysctls':
    "Kernel parameters of the pod's namespaces. Unsafe ones are refused by a kubelet that does not allow them.",
  'PodSecurityContext.fsGroupChangePolicy':
    'Always changes the owner of all files at each mount; OnRootMismatch only if the root of the volume is not as expected. Default: Always.',
  'PodSecurityContext.seccompProfile': 'Seccomp profile of the containers. Not for Windows.',
  'PodSecurityContext.appArmorProfile': 'AppArmor profile of the containers. Not for Windows.',
  'PodSecurityContext.seLinuxChangePolicy':
    'Recursive relabels all files of volumes; MountOption mounts with the label, where supported. Default: MountOption where possible.',
  AppArmorProfile: 'AppArmor profile.',
  'AppArmorProfile.type':
    'Localhost is a profile loaded on the node, RuntimeDefault that of the runtime, Unconfined none.',
  'AppArmorProfile.localhostProfile': 'Name of the profile on the node; for type Localhost only.',
  SeccompProfile: 'Seccomp profile.',
  'SeccompProfile.type':
    'Localhost is a file on the node, RuntimeDefault that of the runtime, Unconfined none.',
  'SeccompProfile.localhostProfile':
    "Path of the file relative to the kubelet's directory of seccomp profiles; for type Localhost only.",
  Sysctl: 'Kernel parameter.',
  'Sysctl.name': 'Name of the parameter, such as net.ipv4.ip_local_port_range.',
  'Sysctl.value': 'Value of the parameter.',
  WindowsSecurityContextOptions: 'Security settings for Windows.',
  'WindowsSecurityContextOptions.gmsaCredentialSpecName': 'Name of the GMSA credential specification.',
  'WindowsSecurityContextOptions.gmsaCredentialSpec':
    'Contents of the GMSA credential specification; filled in by its admission webhook.',
  'WindowsSecurityContextOptions.runAsUserName':
    'User of the processes, such as ContainerUser, or with a domain before a backslash. Default: that of the image.',
  'WindowsSecurityContextOptions.hostProcess':
    'Whether the container runs as a host process. All containers of a pod must agree, and hostNetwork must be true.',
  SELinuxOptions: 'SELinux label.',
  'SELinuxOptions.user': 'User part of the label.',
  'SELinuxOptions.role': 'Role part of the label.',
  'SELinuxOptions.type': 'Type part of the label.',
  'SELinuxOptions.level': 'Level part of the label.',
};
