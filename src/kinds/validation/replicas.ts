import { type FieldError, invalid } from '../../status/field-error.ts';
import { validateNonNegative } from './fields.ts';

/** Replica counts in the status of workloads. */
export interface ReplicaStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  updatedReplicas?: number;
  unavailableReplicas?: number;
  currentReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  collisionCount?: number;
}

const COUNTS = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'updatedReplicas',
  'unavailableReplicas',
  'currentReplicas',
  'observedGeneration',
  'terminatingReplicas',
  'collisionCount',
] as const;
type Part =
  | 'fullyLabeledReplicas'
  | 'readyReplicas'
  | 'availableReplicas'
  | 'updatedReplicas'
  | 'currentReplicas';

/**
 * Validates replica counts: none is negative, no part exceeds the whole, and ready replicas include the
 * available ones.
 * @param parts the counts of the kind that are parts of `replicas`
 */
export function validateReplicaStatus(
  status: ReplicaStatus = {},
  parts: readonly Part[],
  readyText = 'cannot be greater than readyReplicas',
): FieldError[] {
  const errors = COUNTS.flatMap((name) => validateNonNegative(status[name], `status.${name}`));
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const name of parts) {
    if ((status[name] ?? 0) > replicas)
      errors.push(invalid(`status.${name}`, status[name] ?? 0, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas > readyReplicas)
    errors.push(invalid('status.availableReplicas', availableReplicas, readyText));
  return errors;
}

/** Rejects a decremented collision count. */
export function validateNotDecremented(
  count: number | undefined,
  old: number | undefined,
  field: string,
): FieldError[] {
  return old !== undefined && (count === undefined || count < old)
    ? [invalid(field, count ?? 0, 'cannot be decremented')]
    : [];
}
