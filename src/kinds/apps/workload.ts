import type { Deployment, DeploymentSpec } from '../../model/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { formatLabelSelector } from '../../model/object-label-selector.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalidFormatted,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dropDisabledTemplateFields } from '../core/pods/drop-disabled-fields.ts';
import { setPodTemplateDefaults } from '../core/pods/pod-spec-defaults.ts';
import { validateLabelledTemplate } from '../core/pods/pod-template-validation.ts';
import type { PodValidationOptions } from '../core/pods/pod-validation-options.ts';
import { templateWarnings } from '../core/pods/pod-warnings.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { ScaleStrategy, StrategyContext } from '../strategy.ts';
import { IMMUTABLE, validateImmutable } from '../validation/fields.ts';
import { formatGoLabelSelector } from '../validation/format-value.ts';
import { isEmptySelector, isUsableSelector, validateLabelSelector } from '../validation/labels.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

/** What deployments and the sets of this group have in common: a pod template and a selector. */
export type Workload = Pick<Deployment, 'metadata'> & {
  spec?: Pick<DeploymentSpec, 'selector' | 'template'>;
};

/** Returns the `spec` with a defaulted template; absent ones are created. */
export function specWithTemplate<Spec extends { template?: PodTemplateSpec }>(object: { spec?: Spec }): Spec {
  object.spec ??= {} as Spec;
  object.spec.template ??= {};
  setPodTemplateDefaults(object.spec.template);
  return object.spec;
}

/** Drops fields of disabled features from the template. */
export const dropDisabledFields = (
  object: Workload,
  old: Workload | undefined,
  context: StrategyContext,
): void => dropDisabledTemplateFields(object.spec?.template, old?.spec?.template, context);

const STATUS_FIELDS: readonly GatedField<object>[] = [
  {
    gate: 'DeploymentReplicaSetTerminatingReplicas',
    member: 'terminatingReplicas',
    parents: (status) => [status],
  },
];

/** {@link dropDisabledFields} of a kind whose status counts replicas that terminate. */
export function dropDisabledReplicatedFields(
  object: Workload & { status?: object },
  old: (Workload & { status?: object }) | undefined,
  context: StrategyContext,
): void {
  dropDisabledFields(object, old, context);
  dropGatedFields(STATUS_FIELDS, object.status, old?.status, context);
}

/** The releases that validate a changed specification twice, and report each error twice. */
const VALIDATES_TWICE: Life = { until: '1.34' };

export const validateChangedSpec = ({ has }: RuleContext, validate: () => FieldError[]): FieldError[] =>
  has(VALIDATES_TWICE) ? [...validate(), ...validate()] : validate();

interface SelectorTexts {
  /** Error message for an empty selector. */
  readonly empty: string;
  /** Error message for a selector that cannot be evaluated. */
  readonly unusable?: string;
}

type TemplateRule = (labelled: Parameters<typeof validateLabelledTemplate>[0], field: string) => FieldError[];

/** Validates selector and template; the template is skipped when the selector cannot be evaluated. */
export function validateSelectorAndTemplate(
  { selector, template = {} }: NonNullable<Workload['spec']>,
  { empty, unusable = 'invalid label selector' }: SelectorTexts,
  validateTemplate: TemplateRule,
): FieldError[] {
  const errors =
    selector === undefined ? [required('spec.selector')] : validateLabelSelector(selector, 'spec.selector');
  const isEmpty = selector !== undefined && isEmptySelector(selector);
  if (isEmpty) errors.push(invalidFormatted('spec.selector', formatGoLabelSelector(selector), empty));
  if (selector !== undefined && !isUsableSelector(selector)) {
    return [...errors, invalidFormatted('spec.selector', formatGoLabelSelector(selector), unusable)];
  }
  return [...errors, ...validateTemplate({ template, selector, anyLabels: isEmpty }, 'spec.template')];
}

/** Returns the rule that validates a complete template whose pods restart always and have no deadline. */
export const replicatedTemplateRule =
  (context: PodValidationOptions): TemplateRule =>
  (labelled, field) => [
    ...validateLabelledTemplate(labelled, field, context),
    ...validateLongRunningTemplate(labelled.template, 'ReplicaSet'),
  ];

/** Validates that the template's pods restart always and have no deadline. */
export function validateLongRunningTemplate(
  template: PodTemplateSpec | undefined,
  kind: string,
): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [
          forbidden(
            'spec.template.spec.activeDeadlineSeconds',
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}

/** Rejects a change of the selector. */
export function validateSelectorUnchanged({ spec }: Workload, old: Workload): FieldError[] {
  const selector = spec?.selector;
  if (selector === undefined) return validateImmutable(selector, old.spec?.selector, 'spec.selector');
  return semanticEqual(selector, old.spec?.selector, internalTypes.type('meta_v1.LabelSelector'))
    ? []
    : [invalidFormatted('spec.selector', formatGoLabelSelector(selector), IMMUTABLE)];
}

/** Whether the object is new or its generation changed; otherwise there are no template warnings. */
export const isNewGeneration = (object: KubernetesObject, old: KubernetesObject | undefined): boolean =>
  old === undefined || object.metadata?.generation !== old.metadata?.generation;

/** Returns the template warnings of a new object or generation. */
export const workloadWarnings = (
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  context: RuleContext,
): string[] =>
  isNewGeneration(object, old)
    ? templateWarnings((object as Workload).spec?.template, 'spec.template', context)
    : [];

/** Scale subresource of kinds with `replicas` and a label selector. */
export const workloadScale: ScaleStrategy = {
  specPath: ['spec', 'replicas'],
  statusPath: ['status', 'replicas'],
  selector: (object) => formatLabelSelector((object as Workload).spec?.selector),
};
