import type { AppArmorProfile, PodSpec, SeccompProfile } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { APPARMOR_ANNOTATION_PREFIX } from './apparmor.ts';
import { validateDescendingPath } from './paths-validation.ts';

type Annotations = Readonly<Record<string, string>>;

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const SECCOMP_DEFAULTS = ['runtime/default', 'docker/default'];
/** Prefix of a profile on the node. */
export const LOCALHOST = 'localhost/';

/** Validates the legacy seccomp annotations; kube-apiserver's paths have no brackets around the key. */
export function validateSeccompAnnotations(annotations: Annotations, field: string): FieldError[] {
  const validate = (key: string): FieldError[] => {
    const value = annotations[key]!;
    if (value === 'unconfined' || SECCOMP_DEFAULTS.includes(value)) return [];
    return value.startsWith(LOCALHOST)
      ? validateDescendingPath(value.slice(LOCALHOST.length), `${field}.${key}`)
      : [invalid(`${field}.${key}`, value, 'must be a valid seccomp profile')];
  };
  return [
    ...(Object.hasOwn(annotations, SECCOMP_POD) ? validate(SECCOMP_POD) : []),
    ...Object.keys(annotations).flatMap((key) => (key.startsWith(SECCOMP_CONTAINER) ? validate(key) : [])),
  ];
}

/**
 * Validates that annotation and field of each profile match in a new pod, or in a template.
 * @param specField path of the pod's spec
 */
export function validateProfileAnnotations(
  annotations: Annotations | undefined,
  spec: PodSpec,
  specField = 'spec',
): FieldError[] {
  if (annotations === undefined) return [];
  const isWindows = spec.os?.name === 'windows';
  const errors: FieldError[] = [];
  const podContext = spec.securityContext;
  errors.push(
    ...compareProfile(
      'seccomp',
      annotations,
      SECCOMP_POD,
      podContext?.seccompProfile,
      `${specField}.securityContext`,
    ),
  );
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  const containers = lists.flatMap((list) =>
    (spec[list] ?? []).map(({ name = '', securityContext }, index) => ({
      name,
      securityContext,
      field: `${specField}.${list}[${index}].securityContext`,
    })),
  );
  for (const { name, securityContext, field } of containers)
    errors.push(
      ...compareProfile(
        'seccomp',
        annotations,
        `${SECCOMP_CONTAINER}${name}`,
        securityContext?.seccompProfile,
        field,
      ),
    );
  if (isWindows) return errors;
  for (const { name, securityContext, field } of containers) {
    const profile = securityContext?.appArmorProfile ?? podContext?.appArmorProfile;
    errors.push(
      ...compareProfile('apparmor', annotations, `${APPARMOR_ANNOTATION_PREFIX}${name}`, profile, field),
    );
  }
  return errors;
}

function compareProfile(
  system: 'seccomp' | 'apparmor',
  annotations: Annotations,
  key: string,
  profile: SeccompProfile | AppArmorProfile | undefined,
  context: string,
): FieldError[] {
  if (profile === undefined || !Object.hasOwn(annotations, key)) return [];
  const value = annotations[key]!;
  const field = `${context}.${system === 'seccomp' ? 'seccompProfile' : 'appArmorProfile'}`;
  const typeMismatch = [forbidden(`${field}.type`, `${system} type in annotation and field must match`)];
  const { type, localhostProfile } = profile;
  if (type === 'Unconfined') return value === 'unconfined' ? [] : typeMismatch;
  if (type === 'RuntimeDefault') {
    const isDefault = value === 'runtime/default' || (system === 'seccomp' && value === 'docker/default');
    return isDefault ? [] : typeMismatch;
  }
  if (type !== 'Localhost') return [];
  if (!value.startsWith(LOCALHOST)) return typeMismatch;
  return value.slice(LOCALHOST.length) === localhostProfile
    ? []
    : [forbidden(`${field}.localhostProfile`, `${system} profile in annotation and field must match`)];
}
