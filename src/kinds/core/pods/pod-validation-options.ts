import type { PodSpec, PodTemplateSpec } from '../../../model/generated/core-v1.ts';
import type { RuleContext } from '../../../model/rule-context.ts';

/** What the validation of a pod or template depends on besides the pod. */
export interface PodValidationOptions extends RuleContext {
  /** Whether privileged containers are allowed. */
  readonly allowPrivileged?: boolean;
  /** The specification before an update: some of what it has stays valid. */
  readonly old?: PodSpec | undefined;
}

/** Options for a pod specification: `isPod` is false in a template, whose pods are defaulted when created. */
export interface PodSpecValidationOptions extends PodValidationOptions {
  readonly isPod: boolean;
}

/** Returns the options for an update of what contains this template. */
export const withOldTemplate = (
  context: PodValidationOptions,
  template: PodTemplateSpec | undefined,
): PodValidationOptions => ({ ...context, old: template?.spec });
