import type { ContainerStatus, PodSpec } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { isRestarted } from './restart-rules-validation.ts';

const NO_RESTART = 'may not be transitioned to non-terminated state';

/** {@link validateTransitions} of containers that are restarted by rules of their own. */
export const validateRestarts = (
  statuses: readonly ContainerStatus[] = [],
  oldStatuses: readonly ContainerStatus[] = [],
  spec: PodSpec,
): FieldError[] =>
  oldStatuses.flatMap(({ name, state }, index) => {
    const status = statuses.find((one) => one.name === name);
    if (state?.terminated === undefined || status === undefined || status.state?.terminated !== undefined)
      return [];
    const container = spec.containers?.find((one) => one.name === name);
    const isAllowed = container !== undefined && isRestarted(container, spec, state.terminated.exitCode ?? 0);
    return isAllowed ? [] : [forbidden(`status.containerStatuses[${index}].state`, NO_RESTART)];
  });

/**
 * Validates that no container runs again after it terminated for good. An absent old status is not compared.
 */
export function validateTransitions(
  statuses: readonly ContainerStatus[] = [],
  oldStatuses: readonly (ContainerStatus | undefined)[] = [],
  field: string,
  restartPolicy: string | undefined,
): FieldError[] {
  if (restartPolicy === 'Always') return [];
  const running = new Set(
    statuses.filter(({ state }) => state?.terminated === undefined).map(({ name = '' }) => name),
  );
  return oldStatuses.flatMap((old, index) => {
    const terminated = old?.state?.terminated;
    if (terminated === undefined || ((terminated.exitCode ?? 0) !== 0 && restartPolicy === 'OnFailure'))
      return [];
    return running.has(old?.name ?? '') ? [forbidden(`${field}[${index}].state`, NO_RESTART)] : [];
  });
}

/** Blanks the statuses of sidecars, which may restart; the indexes of the others are unchanged. */
export function withoutSidecars(
  statuses: readonly ContainerStatus[] = [],
  { initContainers = [] }: PodSpec,
): (ContainerStatus | undefined)[] {
  const sidecars = new Set(
    initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  return statuses.map((status) => (sidecars.has(status.name) ? undefined : status));
}
