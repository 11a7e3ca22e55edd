import type { Pod, SecurityContext } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { setMember } from '../../../model/object.ts';
import type { StrategyContext } from '../../strategy.ts';
import { allContainers } from './pod-containers.ts';

type Profile = NonNullable<SecurityContext['appArmorProfile']>;

/** Prefix of the legacy AppArmor annotation; the container's name follows. */
export const APPARMOR_ANNOTATION_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';

/** The releases that serve kubelets which only know the annotations. */
const ANNOTATES: Life = { until: '1.34' };

/**
 * Copies the AppArmor profile of each container between the field and the legacy annotation, at creation. Warns about
 * annotations without a field, even if the pod is rejected later.
 */
export function syncAppArmorProfiles(pod: Pod, { has, warn }: Pick<StrategyContext, 'has' | 'warn'>): void {
  const { spec } = pod;
  if (spec === undefined || spec.os?.name === 'windows') return;
  const podProfile = spec.securityContext?.appArmorProfile;
  for (const container of allContainers(spec)) {
    const key = `${APPARMOR_ANNOTATION_PREFIX}${container.name ?? ''}`;
    const annotations = pod.metadata?.annotations;
    const annotation =
      annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
    const profile = container.securityContext?.appArmorProfile;
    if (annotation === undefined) {
      const text = has(ANNOTATES) ? annotationFor(profile ?? podProfile) : '';
      if (text === '') continue;
      pod.metadata ??= {};
      pod.metadata.annotations ??= {};
      setMember(pod.metadata.annotations, key, text);
    } else if (profile === undefined) {
      const field = parseProfile(annotation);
      const isNew = field !== undefined && !isSameProfile(field, podProfile);
      if (isNew) container.securityContext = { ...container.securityContext, appArmorProfile: field };
      if (isNew || field === undefined)
        warn?.(
          `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
        );
    }
  }
}

export const isSameProfile = (a: Profile, b: Profile | undefined): boolean =>
  a.type === b?.type && a.localhostProfile === b?.localhostProfile;

function annotationFor(profile: Profile | undefined): string {
  if (profile?.type === 'Unconfined') return 'unconfined';
  if (profile?.type === 'RuntimeDefault') return 'runtime/default';
  return profile?.type === 'Localhost' && profile.localhostProfile
    ? `localhost/${profile.localhostProfile}`
    : '';
}

/** Parses an annotation; returns undefined when no field value corresponds to it. */
export function parseProfile(annotation: string): Profile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.startsWith('localhost/') ? annotation.slice('localhost/'.length) : '';
  return localhostProfile.trim() === '' || localhostProfile.trim() !== localhostProfile
    ? undefined
    : { type: 'Localhost', localhostProfile };
}
