import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { APPARMOR_ANNOTATION_PREFIX, profileOf } from './apparmor.ts';
import { allContainers } from './drop-disabled-fields.ts';
import type { PodSpec } from './pod-types.ts';

type Annotations = Readonly<Record<string, string>>;

const MIRROR = 'kubernetes.io/config.mirror';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

export const isMirrorPod = (annotations: Annotations | undefined): boolean => annotations !== undefined && Object.hasOwn(annotations, MIRROR);

/** Annotations of pods that mean something to the server. */
export function validatePodAnnotations(annotations: Annotations | undefined, spec: PodSpec, field: string): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  if (isMirrorPod(annotations) && !spec.nodeName)
    errors.push(invalid(`${field}[${MIRROR}]`, annotations[MIRROR], 'must set spec.nodeName if mirror pod annotation is set'));
  const cost = Object.hasOwn(annotations, DELETION_COST) ? annotations[DELETION_COST] : undefined;
  if (cost !== undefined && (!/^-?(0|[1-9]\d*)$/.test(cost) || Math.abs(Number(cost)) > 2 ** 31 - 1))
    errors.push(invalid(`${field}[${DELETION_COST}]`, cost, 'must be a 32bit integer'));
  let containers: ReadonlySet<string | undefined> | undefined;
  for (const [key, value] of Object.entries(annotations)) {
    if (!key.startsWith(APPARMOR_ANNOTATION_PREFIX)) continue;
    const container = key.slice(APPARMOR_ANNOTATION_PREFIX.length);
    containers ??= new Set(allContainers(spec).map(({ name }) => name));
    if (!containers.has(container)) errors.push(invalid(`${field}[${key}]`, container, 'container not found'));
    if (value !== '' && profileOf(value) === undefined)
      errors.push(invalid(`${field}[${key}]`, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`));
  }
  return errors;
}

/** Which of these annotations may change on a pod: none. */
export function validatePodAnnotationsUpdate(annotations: Annotations = {}, old: Annotations = {}, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [prefix, what] of [
    [APPARMOR_ANNOTATION_PREFIX, 'AppArmor annotations'],
    [MIRROR, 'mirror pod annotation'],
  ] as const) {
    const isOurs = (key: string): boolean => (prefix === MIRROR ? key === MIRROR : key.startsWith(prefix));
    for (const key of Object.keys(old)) {
      if (isOurs(key) && (!Object.hasOwn(annotations, key) || annotations[key] !== old[key]))
        errors.push(forbidden(`${field}[${key}]`, `may not remove or update ${what}`));
    }
    for (const key of Object.keys(annotations)) if (isOurs(key) && !Object.hasOwn(old, key)) errors.push(forbidden(`${field}[${key}]`, `may not add ${what}`));
  }
  return errors;
}
