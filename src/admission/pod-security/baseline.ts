import { quote } from '../../errors/quote.ts';
import {
  addedCapabilities,
  type Check,
  type CheckedContainer,
  formatContainers,
  formatSetters,
  plural,
  quoted,
  sortedSet,
} from './checks.ts';
import { SECCOMP_CONTAINER_PREFIX } from './pods.ts';

const APPARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';
const CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
/** Safe sysctls by the release that allows them. */
const SYSCTLS: readonly (readonly [minor: number, names: readonly string[]])[] = [
  [
    0,
    [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [
    29,
    [
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
    ],
  ],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
  [37, ['net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat']],
];
const SELINUX_TYPES: readonly (readonly [minor: number, type: string])[] = [
  [0, ''],
  [0, 'container_t'],
  [0, 'container_init_t'],
  [0, 'container_kvm_t'],
  [31, 'container_engine_t'],
];

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_VALUES: ReadonlySet<string> = new Set(['runtime/default', 'docker/default']);

export const appArmorProfile: Check = ({ pod, security, containers }) => {
  const isBad = (type: string | undefined): boolean =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
  const badContainers = containers.filter((one) => isBad(one.security.appArmorProfile?.type));
  const annotations = Object.entries(pod.metadata?.annotations ?? {}).filter(
    ([key, value]) =>
      key.startsWith(APPARMOR_PREFIX) &&
      value !== '' &&
      value !== 'runtime/default' &&
      !value.startsWith('localhost/'),
  );
  const ofPod = isBad(security.appArmorProfile?.type);
  const values = sortedSet([
    ...(ofPod ? [security.appArmorProfile!.type!] : []),
    ...badContainers.map((one) => one.security.appArmorProfile!.type!),
    ...annotations.map(([key, value]) => `${key}="${value}"`),
  ]);
  if (values.length === 0) return undefined;
  const subjects = formatSetters(
    ofPod,
    badContainers,
    annotations.length === 0 ? '' : plural('annotation', 'annotations', annotations.length),
  );
  return {
    reason: plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', values.length),
    detail: `${subjects} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

export const defaultCapabilities: Check = ({ containers }) => {
  const added = (container: (typeof containers)[number]) => addedCapabilities(container, CAPABILITIES);
  const bad = containers.filter((container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedSet(bad.flatMap(added));
  return {
    reason: 'non-default capabilities',
    detail: `${formatContainers(bad)} must not include ${quoted(names)} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: Check = ({ pod: { spec } }) => {
  const set = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec?.[name] === true);
  return set.length === 0
    ? undefined
    : { reason: 'host namespaces', detail: set.map((name) => `${name}=true`).join(', ') };
};

export const hostPathVolumes: Check = ({ pod: { spec } }) => {
  const bad = (spec?.volumes ?? [])
    .filter(({ hostPath }) => hostPath !== undefined)
    .map(({ name = '' }) => name);
  return bad.length === 0
    ? undefined
    : { reason: 'hostPath volumes', detail: `${plural('volume', 'volumes', bad.length)} ${quoted(bad)}` };
};

export const hostPorts: Check = ({ containers }) => {
  const portsOf = ({ ports = [] }: (typeof containers)[number]['container']) =>
    ports.map(({ hostPort }) => Number(hostPort ?? 0)).filter((port) => port !== 0);
  const bad = containers.filter(({ container }) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedSet(bad.flatMap(({ container }) => portsOf(container).map(String)));
  const what = plural('hostPort', 'hostPorts', ports.length);
  return {
    reason: 'hostPort',
    detail: `${formatContainers(bad)} ${plural('uses', 'use', bad.length)} ${what} ${ports.join(', ')}`,
  };
};

export const probeHosts: Check = ({ containers }) => {
  const hostsOf = ({ container }: CheckedContainer): string[] => {
    const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
    return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(
      (handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host) => !!host) as string[],
    );
  };
  const bad = sortedSet(containers.filter((one) => hostsOf(one).length > 0).map(({ name }) => name));
  if (bad.length === 0) return undefined;
  const hosts = sortedSet(containers.flatMap(hostsOf));
  const what = plural('probe or lifecycle host', 'probe or lifecycle hosts', hosts.length);
  return {
    reason: 'probe or lifecycle host',
    detail: `${plural('container', 'containers', bad.length)} ${quoted(bad)} ${plural('uses', 'use', bad.length)} ${what} ${quoted(hosts)}`,
  };
};

export const privileged: Check = ({ containers }) => {
  const bad = containers.filter(({ security }) => security.privileged === true);
  return bad.length === 0
    ? undefined
    : {
        reason: 'privileged',
        detail: `${formatContainers(bad)} must not set securityContext.privileged=true`,
      };
};

export const procMount: Check = ({ containers }) => {
  const bad = containers.filter(
    ({ security }) => security.procMount !== undefined && security.procMount !== 'Default',
  );
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map(({ security }) => security.procMount!));
  return {
    reason: 'procMount',
    detail: `${formatContainers(bad)} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

/** Pods with users of their own may have any. */
export const procMountOfHostUsers: Check = (pod, minor) =>
  pod.hasUserNamespace ? undefined : procMount(pod, minor);

export const seLinuxOptions: Check = ({ security, containers }, minor) => {
  const allowed = new Set(SELINUX_TYPES.filter(([since]) => since <= minor).map(([, type]) => type));
  const isBad = (options: NonNullable<typeof security>['seLinuxOptions']): boolean =>
    options !== undefined &&
    (!allowed.has(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
  const badContainers = containers.filter((one) => isBad(one.security.seLinuxOptions));
  const ofPod = isBad(security.seLinuxOptions);
  if (!ofPod && badContainers.length === 0) return undefined;
  const options = [
    ...(ofPod ? [security.seLinuxOptions!] : []),
    ...badContainers.map((one) => one.security.seLinuxOptions!),
  ];
  const types = sortedSet(options.map(({ type = '' }) => type).filter((type) => !allowed.has(type)));
  const errors = [
    ...(types.length === 0 ? [] : [`${plural('type', 'types', types.length)} ${quoted(types)}`]),
    ...(options.some(({ user }) => user) ? ['user may not be set'] : []),
    ...(options.some(({ role }) => role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${formatSetters(ofPod, badContainers)} set forbidden securityContext.seLinuxOptions: ${errors.join('; ')}`,
  };
};

/** Up to version 1.18, annotations instead of fields. */
export const seccompAnnotations: Check = ({ pod, containers }) => {
  const annotations = pod.metadata?.annotations ?? {};
  const bad = [SECCOMP_POD, ...containers.map(({ name }) => `${SECCOMP_CONTAINER_PREFIX}${name}`)].filter(
    (key) => {
      const value = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
      return value !== undefined && !SECCOMP_VALUES.has(value) && !value.startsWith('localhost/');
    },
  );
  if (bad.length === 0) return undefined;
  const found = sortedSet(bad.map((key) => `${key}=${quote(annotations[key]!)}`));
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', 'annotations', found.length)} ${found.join(', ')}`,
  };
};

export const seccompProfile: Check = ({ security, containers }) => {
  const isBad = (type: string | undefined): boolean =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
  const badContainers = containers.filter((one) => isBad(one.security.seccompProfile?.type));
  const ofPod = isBad(security.seccompProfile?.type);
  if (!ofPod && badContainers.length === 0) return undefined;
  const types = sortedSet([
    ...(ofPod ? [security.seccompProfile!.type!] : []),
    ...badContainers.map((one) => one.security.seccompProfile!.type!),
  ]);
  return {
    reason: 'seccompProfile',
    detail: `${formatSetters(ofPod, badContainers)} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
};

export const sysctls: Check = ({ security }, minor) => {
  const allowed = new Set(SYSCTLS.filter(([since]) => since <= minor).flatMap(([, names]) => names));
  const bad = (security.sysctls ?? []).map(({ name = '' }) => name).filter((name) => !allowed.has(name));
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
};

export const windowsHostProcess: Check = ({ security, containers }) => {
  const bad = containers.filter((one) => one.security.windowsOptions?.hostProcess === true);
  const ofPod = security.windowsOptions?.hostProcess === true;
  if (!ofPod && bad.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${formatSetters(ofPod, bad)} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};
