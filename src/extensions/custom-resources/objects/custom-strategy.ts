import { quote } from '../../../errors/quote.ts';
import { restoreAllButStatus } from '../../../kinds/restore-status.ts';
import type { Strategy, StrategyContext } from '../../../kinds/strategy.ts';
import { uncounted } from '../../../kinds/validation/find-errors.ts';
import { STANDARD_FINALIZERS } from '../../../kinds/validation/object-meta.ts';
import type { CustomResourceDefinitionVersion } from '../../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../../model/life.ts';
import { qualifiedName } from '../../../model/name-syntax.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import type { TypeMeta } from '../../../resources/object-schema.ts';
import { errors, type FieldError, invalid } from '../../../status/index.ts';
import { onceInTurns } from '../../../steps/replay.ts';
import type { Steps } from '../../../steps/steps.ts';
import { scaleOf } from '../scale.ts';
import type { CustomVersion } from './custom-version.ts';
import { type Findings, validateObject, validateStatus } from './validate-object.ts';

/** The releases in which a status update owns no metadata. */
const RESETS_METADATA: Life = { since: '1.36' };

/**
 * Creates the strategy of custom objects in one version.
 * @param declaredIn returns the declaration of a version of the kind; undefined for an unknown version
 */
export function customStrategy(
  declared: CustomResourceDefinitionVersion,
  typeMeta: TypeMeta,
  version: () => CustomVersion,
  has: RuleContext['has'],
  declaredIn: (apiVersion: string) => CustomResourceDefinitionVersion | undefined,
): Strategy {
  const check = (
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): FieldError[] => {
    const wrongType = typeErrors(object, typeMeta);
    const errorsFound = report(object, context, () => validateObject(version(), object, old, wrongType));
    // The metadata of an object of another type is not validated.
    if (wrongType.length > 0) throw errors.invalid(kindOf(object), nameOf(object), errorsFound);
    return errorsFound;
  };
  return {
    managesGeneration: true,
    requiresResourceVersion: true,
    resetFields: { status: has(RESETS_METADATA) ? [['metadata'], ['spec']] : [['spec']] },
    metadata: { allowsUnqualifiedFinalizers: true },
    scale: scaleOf(declared, declaredIn),
    prepareForSubresource: { status: keepAllButStatus },
    warnings: (object, old) => finalizerWarnings(object.metadata?.finalizers, old?.metadata?.finalizers),
    generationChanged: (object, old) => version().schema.specChanged(object, old),
    validate: (object, context) => check(object, undefined, context),
    validateUpdate: check,
    validateSubresource: {
      status: (object, old, context) =>
        report(object, context, () => validateStatus(version(), object, old, has)),
      scale: check,
    },
  };
}

/** Returns the errors that were found, and adds the warnings to the request. */
function report(
  object: KubernetesObject,
  { warn }: StrategyContext,
  find: () => Steps<Findings>,
): FieldError[] {
  const found = onceInTurns(object, FINDINGS, () => uncounted(find()));
  for (const warning of found.warnings) warn?.(warning);
  return [...found.errors];
}

const FINDINGS = { place: 'findings', cost: 0 };

const nameOf = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';

/** The group and kind that an object names, which are not those of its resource. */
const kindOf = ({
  apiVersion = '',
  kind = '',
}: KubernetesObject): { readonly group: string; readonly kind: string } => ({
  group: apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))),
  kind,
});

function typeErrors({ apiVersion, kind = '' }: KubernetesObject, expected: TypeMeta): FieldError[] {
  return [
    ...(kind === expected.kind ? [] : [invalid('kind', kind, `must be ${expected.kind}`)]),
    ...(apiVersion === expected.apiVersion
      ? []
      : [invalid('apiVersion', apiVersion, `must be ${expected.apiVersion}`)]),
  ];
}

/** A status update changes the status and the managed fields only, not even the type. */
function keepAllButStatus(object: KubernetesObject, old: KubernetesObject): void {
  restoreAllButStatus(object, old);
  const { apiVersion, kind } = old;
  Object.assign(object, { apiVersion, kind });
}

/** Warns about added finalizers whose names are not qualified names, or have no domain. */
function finalizerWarnings(finalizers: readonly string[] = [], old: readonly string[] = []): string[] {
  const added = [...new Set(finalizers)].filter((finalizer) => !old.includes(finalizer));
  return added.sort().flatMap((finalizer) => {
    const texts = [...qualifiedName(finalizer)];
    if (!finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer)) {
      const path = finalizer.includes('.') ? ' including a path (/)' : '';
      texts.push(
        `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
      );
    }
    return texts.map((text) => `metadata.finalizers: ${quote(finalizer)}: ${text}`);
  });
}
