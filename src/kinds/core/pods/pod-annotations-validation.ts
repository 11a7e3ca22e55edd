import { quote } from '../../../errors/quote.ts';
import type { PodSpec } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { appendAll } from '../../validation/fields.ts';
import { APPARMOR_ANNOTATION_PREFIX } from './apparmor.ts';
import { allContainers } from './pod-containers.ts';
import { LOCALHOST, validateSeccompAnnotations } from './profile-annotations-validation.ts';

type Annotations = Readonly<Record<string, string>>;

const MIRROR = 'kubernetes.io/config.mirror';
const APPARMOR_VALUES = ['', 'runtime/default', 'unconfined'];
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** Whether the annotations mark a mirror pod, i.e. the API object of a static pod. */
export const isMirrorPod = (annotations: Annotations | undefined): boolean =>
  annotations !== undefined && Object.hasOwn(annotations, MIRROR);

/** Validates the annotations that the server interprets. */
export function validatePodAnnotations(
  annotations: Annotations | undefined,
  spec: PodSpec,
  field: string,
): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  if (isMirrorPod(annotations) && !spec.nodeName)
    errors.push(
      invalid(
        `${field}[${MIRROR}]`,
        annotations[MIRROR],
        'must set spec.nodeName if mirror pod annotation is set',
      ),
    );
  const cost = Object.hasOwn(annotations, DELETION_COST) ? annotations[DELETION_COST] : undefined;
  if (
    cost !== undefined &&
    (!/^-?(0|[1-9]\d*)$/.test(cost) || Number(cost) > 2 ** 31 - 1 || Number(cost) < -(2 ** 31))
  )
    errors.push(invalid(`${field}[${DELETION_COST}]`, cost, 'must be a 32bit integer'));
  appendAll(errors, validateSeccompAnnotations(annotations, field));
  let containers: ReadonlySet<string> | undefined;
  for (const [key, value] of Object.entries(annotations)) {
    if (!key.startsWith(APPARMOR_ANNOTATION_PREFIX)) continue;
    const container = key.slice(APPARMOR_ANNOTATION_PREFIX.length);
    containers ??= new Set(allContainers(spec).map(({ name = '' }) => name));
    if (!containers.has(container))
      errors.push(invalid(`${field}[${key}]`, container, 'container not found'));
    if (!APPARMOR_VALUES.includes(value) && !value.startsWith(LOCALHOST))
      errors.push(invalid(`${field}[${key}]`, value, `invalid AppArmor profile name: ${quote(value)}`));
  }
  return errors;
}

interface AnnotationsUpdate {
  readonly annotations: Annotations | undefined;
  readonly old: Annotations | undefined;
  readonly spec: PodSpec;
}

/** Rejects changes of protected annotations, then validates the annotations. */
export function validatePodAnnotationsUpdate(
  { annotations = {}, old = {}, spec }: AnnotationsUpdate,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(old)) {
    const name = protectedName(key);
    if (name !== undefined && (!Object.hasOwn(annotations, key) || annotations[key] !== old[key]))
      errors.push(forbidden(`${field}[${key}]`, `may not remove or update ${name}`));
  }
  for (const key of Object.keys(annotations)) {
    const name = protectedName(key);
    if (name !== undefined && !Object.hasOwn(old, key))
      errors.push(forbidden(`${field}[${key}]`, `may not add ${name}`));
  }
  return [...errors, ...validatePodAnnotations(annotations, spec, field)];
}

function protectedName(key: string): string | undefined {
  if (key === MIRROR) return 'mirror pod annotation';
  return key.startsWith(APPARMOR_ANNOTATION_PREFIX) ? 'AppArmor annotations' : undefined;
}
