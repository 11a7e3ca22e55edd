import type { Container, PodSpec } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import {
  duplicateFormatted,
  type FieldError,
  invalid,
  invalidFormatted,
  notSupportedFormatted,
  required,
} from '../../../status/field-error.ts';
import { validateOneOf } from '../../validation/fields.ts';
import { formatGo } from '../../validation/go-value.ts';
import { IN_PLACE_RESIZE, RESIZABLE_RESOURCES } from './pod-spec-defaults.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

/** In the order of kube-apiserver's error messages. */
const RESTARTS = ['NotRequired', 'RestartContainer'];

/** Validates the resize policies of a container. @param podRestartPolicy restart policy of the pod */
export function validateResizePolicies(
  policies: Container['resizePolicy'] = [],
  field: string,
  podRestartPolicy: string | undefined,
): FieldError[] {
  const names = new Set<string>();
  return policies.flatMap(({ resourceName = '', restartPolicy = '' }, index) => {
    const isRepeated = names.has(resourceName);
    names.add(resourceName);
    return [
      ...(isRepeated ? [duplicateFormatted(`${field}[${index}]`, resourceName)] : []),
      ...validateResourceName(resourceName, field),
      ...(restartPolicy === '' ? [required(field)] : validateOneOf(restartPolicy, RESTARTS, field)),
      ...(podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired'
        ? [invalid(field, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}

function validateResourceName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return RESIZABLE_RESOURCES.includes(name) ? [] : [notSupportedFormatted(field, name, RESIZABLE_RESOURCES)];
}

/** Rejects resize policies of init containers. */
export const forbidResizePolicies = ({ resizePolicy = [] }: Container, field: string): FieldError[] =>
  resizePolicy.length === 0
    ? []
    : [
        invalidFormatted(
          field,
          formatGo('[]core.ContainerResizePolicy', resizePolicy),
          'must not be set for init containers',
        ),
      ];

/** Sidecars are resized in place too. */
const RESIZES_SIDECARS: Life = { since: '1.33' };

/** Whether sidecars can have resize policies; those that the stored pod has may stay. */
export const allowsSidecarResizePolicies = ({ has, isOn, old = {} }: PodSpecValidationOptions): boolean =>
  (has(RESIZES_SIDECARS) && isOn(IN_PLACE_RESIZE)) || hasSidecarResizePolicy(old);

const hasSidecarResizePolicy = ({ initContainers = [] }: PodSpec): boolean =>
  initContainers.some(
    ({ restartPolicy, resizePolicy = [] }) => restartPolicy === 'Always' && resizePolicy.length > 0,
  );
