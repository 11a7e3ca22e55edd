import type { Container, PodSpec } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden, required, tooLong } from '../../../status/field-error.ts';
import { validateOneOf } from '../../validation/fields.ts';
import { CONTAINER_RESTART_RULES, usesRestartRules } from './drop-disabled-fields.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

/** In the order of kube-apiserver's error messages. */
const POLICIES = ['Always', 'Never', 'OnFailure'];
const OPERATORS = ['In', 'NotIn'];
const MAXIMUM_RULES = 20;
const MAXIMUM_EXIT_CODES = 255;

const allowsRules = ({ isOn, old }: PodSpecValidationOptions): boolean =>
  isOn(CONTAINER_RESTART_RULES) || usesRestartRules(old);

/** Validates how a regular container is restarted. */
export function validateRestart(
  container: Container,
  field: string,
  options: PodSpecValidationOptions,
): FieldError[] {
  if (allowsRules(options)) return validateRules(container, field);
  return container.restartPolicy === undefined
    ? []
    : [forbidden(`${field}.restartPolicy`, 'may not be set for non-init containers')];
}

/** Validates how an init container is restarted. */
export function validateInitRestart(
  container: Container,
  field: string,
  options: PodSpecValidationOptions,
): FieldError[] {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy === undefined) return [];
  if (!allowsRules(options)) return validateOneOf(restartPolicy, ['Always'], `${field}.restartPolicy`);
  if (restartPolicy !== 'Always') return validateRules(container, field);
  const text = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return restartPolicyRules.length === 0 ? [] : [forbidden(`${field}.restartPolicyRules`, text)];
}

function validateRules({ restartPolicy, restartPolicyRules = [] }: Container, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (restartPolicy !== undefined)
    errors.push(...validateOneOf(restartPolicy, POLICIES, `${field}.restartPolicy`));
  else if (restartPolicyRules.length > 0)
    errors.push(required(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  if (restartPolicyRules.length > MAXIMUM_RULES)
    errors.push(tooLong(`${field}.restartPolicyRules`, MAXIMUM_RULES));
  return [
    ...errors,
    ...restartPolicyRules.flatMap(({ action, exitCodes }, index) => {
      const path = `${field}.restartPolicyRules[${index}]`;
      return [
        ...validateOneOf(action, ['Restart'], `${path}.action`),
        ...(exitCodes === undefined
          ? [required(`${path}.exitCodes`, 'must be specified')]
          : validateExitCodes(exitCodes, `${path}.exitCodes`)),
      ];
    }),
  ];
}

const validateExitCodes = (
  { operator, values = [] }: { operator?: string; values?: number[] },
  field: string,
): FieldError[] => [
  ...validateOneOf(operator, OPERATORS, `${field}.operator`),
  ...(values.length > MAXIMUM_EXIT_CODES ? [tooLong(`${field}.values`, MAXIMUM_EXIT_CODES)] : []),
];

/** Whether a container is restarted after it ended, by its rules, its policy or the policy of its pod. */
export function isRestarted(
  { restartPolicy, restartPolicyRules = [] }: Container,
  { restartPolicy: podPolicy }: PodSpec,
  exitCode: number,
): boolean {
  const decides =
    restartPolicy !== undefined &&
    restartPolicyRules.some(({ exitCodes }) => {
      const isListed = (exitCodes?.values ?? []).includes(exitCode);
      return exitCodes?.operator === 'In' ? isListed : exitCodes?.operator === 'NotIn' && !isListed;
    });
  if (decides) return true;
  const policy = restartPolicy ?? podPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
