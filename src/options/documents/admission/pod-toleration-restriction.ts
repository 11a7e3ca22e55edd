import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { Toleration } from '../../../model/generated/core-v1.ts';
import type { Configuration } from '../../../model/generated/podtolerationrestrictionconfig-v1alpha1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { type FieldError, formatFieldError } from '../../../status/field-error.ts';
import { type DocumentKind, readDocument, tolerateProblems } from '../document.ts';

const KIND: DocumentKind = {
  kind: 'Configuration',
  versions: {
    'podtolerationrestriction.admission.k8s.io/v1alpha1': () =>
      internalTypes.type('podtolerationrestrictionconfig_v1alpha1.Configuration'),
  },
};

/** Tolerations for namespaces without annotations. */
export interface TolerationDocument {
  readonly added: readonly Toleration[];
  readonly allowed: readonly Toleration[];
}

/** Validates a list of tolerations at a path. */
export type TolerationCheck = (tolerations: readonly Toleration[], path: string) => readonly FieldError[];

/** Parses the document of PodTolerationRestriction. @throws ConfigurationError */
export function parseTolerations(text: string, check: TolerationCheck): TolerationDocument {
  const { content } = readDocument<Configuration>(text, KIND, tolerateProblems);
  const { default: added = [], whitelist: allowed = [] } = content;
  const problems = [
    ...check(added, 'podtolerationrestriction.default'),
    ...check(allowed, 'podtolerationrestriction.whitelist'),
  ];
  if (problems.length > 0)
    throw new ConfigurationError(`invalid config: [${problems.map(formatFieldError).join(' ')}]`);
  return { added, allowed };
}
