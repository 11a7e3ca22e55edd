import { seccompProfile } from './baseline.ts';
import {
  ALLOWS_USER_NAMESPACES,
  addedCapabilities,
  type Check,
  formatContainers,
  formatSetters,
  plural,
  quoted,
  sortedSet,
} from './checks.ts';

/** Minor version from which Linux-only rules skip Windows pods. */
const WINDOWS_EXEMPT = 25;
const VOLUME_TYPES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);
const CAPABILITIES = new Set(['NET_BIND_SERVICE']);

export const allowPrivilegeEscalation: Check = ({ containers, isWindows }, minor) => {
  if (isWindows && minor >= WINDOWS_EXEMPT) return undefined;
  const bad = containers.filter(({ security }) => security.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${formatContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const restrictedCapabilities: Check = ({ containers, isWindows }, minor) => {
  if (isWindows && minor >= WINDOWS_EXEMPT) return undefined;
  const added = (container: (typeof containers)[number]) => addedCapabilities(container, CAPABILITIES);
  const keeping = containers.filter(({ security }) => !(security.capabilities?.drop ?? []).includes('ALL'));
  const adding = containers.filter((container) => added(container).length > 0);
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${formatContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${formatContainers(adding)} must not include ${quoted(sortedSet(adding.flatMap(added)))} in securityContext.capabilities.add`,
        ]),
  ];
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

export const restrictedVolumes: Check = ({ pod: { spec } }) => {
  const bad = (spec?.volumes ?? [])
    .map((volume) => ({
      name: volume.name ?? '',
      type: Object.keys(volume).find(
        (member) => member !== 'name' && volume[member as keyof typeof volume] !== undefined,
      ),
    }))
    .filter(({ type }) => type === undefined || !VOLUME_TYPES.has(type));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map(({ type = 'unknown' }) => type));
  const names = bad.map(({ name }) => name);
  const what = `${plural('uses', 'use', bad.length)} restricted volume ${plural('type', 'types', types.length)}`;
  return {
    reason: 'restricted volume types',
    detail: `${plural('volume', 'volumes', bad.length)} ${quoted(names)} ${what} ${quoted(types)}`,
  };
};

export const runAsNonRoot: Check = ({ security, containers, hasUserNamespace }, minor) => {
  if (hasUserNamespace && minor >= ALLOWS_USER_NAMESPACES) return undefined;
  const reason = 'runAsNonRoot != true';
  const denying = containers.filter((one) => one.security.runAsNonRoot === false);
  const ofPod = security.runAsNonRoot === false;
  if (ofPod || denying.length > 0)
    return {
      reason,
      detail: `${formatSetters(ofPod, denying)} must not set securityContext.runAsNonRoot=false`,
    };
  const silent =
    security.runAsNonRoot === true ? [] : containers.filter((one) => one.security.runAsNonRoot === undefined);
  return silent.length === 0
    ? undefined
    : { reason, detail: `pod or ${formatContainers(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = ({ security, containers, hasUserNamespace }, minor) => {
  if (hasUserNamespace && minor >= ALLOWS_USER_NAMESPACES) return undefined;
  const isRoot = (user: number | bigint | undefined): boolean => user !== undefined && Number(user) === 0;
  const bad = containers.filter((one) => isRoot(one.security.runAsUser));
  const ofPod = isRoot(security.runAsUser);
  return ofPod || bad.length > 0
    ? { reason: 'runAsUser=0', detail: `${formatSetters(ofPod, bad)} must not set runAsUser=0` }
    : undefined;
};

export const restrictedSeccompProfile: Check = (checked, minor) => {
  const { security, containers, isWindows } = checked;
  if (isWindows && minor >= WINDOWS_EXEMPT) return undefined;
  const forbidden = seccompProfile(checked, minor);
  if (forbidden !== undefined) return forbidden;
  const silent =
    security.seccompProfile?.type === undefined
      ? containers.filter((one) => one.security.seccompProfile?.type === undefined)
      : [];
  if (silent.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${formatContainers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
