import { aggregate } from '../../../errors/aggregate.ts';
import type {
  PodSecurityConfiguration,
  PodSecurityDefaults,
  PodSecurityExemptions,
} from '../../../model/generated/podsecurityconfig-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { dns1123Label, dns1123Subdomain } from '../../../model/name-syntax.ts';
import { duplicate, type FieldError, formatFieldError, invalid } from '../../../status/field-error.ts';
import { type DocumentKind, readDocument } from '../document.ts';

const GROUP = 'pod-security.admission.config.k8s.io';
const type = () => internalTypes.type('podsecurityconfig_v1.PodSecurityConfiguration');
const KIND: DocumentKind = {
  kind: 'PodSecurityConfiguration',
  versions: { [`${GROUP}/v1`]: type, [`${GROUP}/v1beta1`]: type, [`${GROUP}/v1alpha1`]: type },
};

/** The levels for namespaces without labels, not yet checked, and the exemptions. */
export interface PodSecurityDocument {
  readonly defaults: PodSecurityDefaults;
  readonly exemptions: Required<PodSecurityExemptions>;
}

/** Parses the document of PodSecurity. @throws ConfigurationError */
export function parsePodSecurity(text: string): PodSecurityDocument {
  const { defaults = {}, exemptions = {} } = readDocument<PodSecurityConfiguration>(text, KIND).content;
  const { usernames = [], namespaces = [], runtimeClasses = [] } = exemptions;
  return { defaults, exemptions: { usernames, namespaces, runtimeClasses } };
}

/** Returns what is wrong with the exemptions; undefined if they are valid. */
export function exemptionProblem({
  usernames,
  namespaces,
  runtimeClasses,
}: PodSecurityDocument['exemptions']): string | undefined {
  const problems = [
    ...listErrors('namespaces', namespaces, dns1123Label),
    ...listErrors('runtimeClasses', runtimeClasses, dns1123Subdomain),
    ...listErrors('usernames', usernames, (name) => (name === '' ? ['username must not be empty'] : [])),
  ];
  return problems.length === 0
    ? undefined
    : `PodSecurity invalid: ${aggregate(problems.map(formatFieldError))}`;
}

function listErrors(
  list: string,
  names: readonly string[],
  check: (name: string) => readonly string[],
): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const path = `exemptions.${list}[${index}]`;
    const problems = check(name);
    if (problems.length > 0) return [invalid(path, name, problems.join(', '))];
    if (seen.has(name)) return [duplicate(path, name)];
    seen.add(name);
    return [];
  });
}
