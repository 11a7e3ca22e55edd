import type { PodSpec } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { allContainers, containersWithPaths } from './pod-containers.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

const NAMES_GO_FIELD: Life = { until: '1.34' };
const FORBIDS_DEVICES: Life = { since: '1.34' };

/** Rejects what a pod with its own user namespace cannot have. */
export function validateHostUsers(
  spec: PodSpec,
  field: string,
  { has, old }: PodSpecValidationOptions,
): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const text = has(NAMES_GO_FIELD) ? 'when `pod.Spec.HostUsers` is false' : 'when `hostUsers` is false';
  const namespaces = { hostNetwork: spec.hostNetwork, HostPID: spec.hostPID, HostIPC: spec.hostIPC };
  const allowsDevices = !has(FORBIDS_DEVICES) || usesDevices(old);
  return [
    ...Object.entries(namespaces).flatMap(([name, isShared]) =>
      isShared === true ? [forbidden(`${field}.${name}`, text)] : [],
    ),
    ...containersWithPaths(spec, field).flatMap(({ container: { volumeDevices = [] }, path }) =>
      allowsDevices || volumeDevices.length === 0 ? [] : [forbidden(`${path}.volumeDevices`, text)],
    ),
  ];
}

/** Whether a pod with its own user namespace has block devices: earlier releases stored them. */
const usesDevices = (spec: PodSpec = {}): boolean =>
  spec.hostUsers === false && allContainers(spec).some(({ volumeDevices = [] }) => volumeDevices.length > 0);
