import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { readTextFile } from '../../files/files.ts';
import type { Policy, PolicyRule } from '../../model/generated/audit-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import {
  type FieldError,
  formatFieldError,
  invalid,
  invalidFormatted,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { type ConfigurationDocument, type DocumentKind, readDocument } from './document.ts';

const type = () => internalTypes.type('audit_v1.Policy');
/** The version of a policy that names none; it can be decoded, and is rejected. */
const INTERNAL = 'audit.k8s.io/__internal';
const KIND: DocumentKind = {
  kind: 'Policy',
  versions: { 'audit.k8s.io/v1': type, [INTERNAL]: type },
  impliedVersion: INTERNAL,
};
const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'];
const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/**
 * Reads the file of `--audit-policy-file`.
 * @param warn called with unknown members, which are ignored as in kube-apiserver
 * @throws ConfigurationError
 */
export function readAuditPolicy(file: string, warn: (problem: string) => void = () => undefined): Policy {
  const failed = (text: string) => new ConfigurationError(`loading audit policy file: ${text}`);
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw failed(`failed to read file path ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
  try {
    return parse(text, warn);
  } catch (error) {
    throw failed(`${(error as Error).message}: from file ${file}`);
  }
}

function parse(text: string, warn: (problem: string) => void): Policy {
  let document: ConfigurationDocument<Policy>;
  try {
    document = readDocument<Policy>(text, KIND, (problem) =>
      warn(`Audit policy contains errors, falling back to lenient decoding: ${problem}`),
    );
  } catch (error) {
    throw new ConfigurationError(`failed decoding: ${(error as Error).message}`);
  }
  const { apiVersion, content: policy } = document;
  if (apiVersion === INTERNAL)
    throw new ConfigurationError(`unknown group version field ${INTERNAL}, Kind=${KIND.kind} in policy`);
  const { rules = [], omitStages = [] } = policy;
  const problems = [
    ...validateStages(omitStages, 'omitStages'),
    ...rules.flatMap((rule, index) => validateRule(rule, `rules[${index}]`)),
  ];
  if (problems.length > 0) throw new ConfigurationError(aggregate(problems.map(formatFieldError)));
  if (rules.length === 0) throw new ConfigurationError('loaded illegal policy with 0 rules');
  return policy;
}

function validateRule(rule: PolicyRule, field: string): FieldError[] {
  const { level = '', nonResourceURLs = [], resources = [], namespaces = [], omitStages = [] } = rule;
  const problems: FieldError[] = [];
  if (level === '') problems.push(required(`${field}.level`));
  else if (!LEVELS.includes(level)) problems.push(notSupported(`${field}.level`, level, LEVELS));
  problems.push(...validatePaths(nonResourceURLs, `${field}.nonResourceURLs`));
  for (const one of resources) problems.push(...validateResources(one, `${field}.resources`));
  problems.push(...validateStages(omitStages, `${field}.omitStages`));
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0)
    problems.push(
      invalidList(
        `${field}.nonResourceURLs`,
        nonResourceURLs,
        'rules cannot apply to both regular resources and non-resource URLs',
      ),
    );
  return problems;
}

function validatePaths(paths: readonly string[], field: string): FieldError[] {
  return paths.flatMap((path, index) => {
    if (path === '*') return [];
    const problems: FieldError[] = [];
    if (!path.startsWith('/'))
      problems.push(
        invalid(`${field}[${index}]`, path, "non-resource URL rules must begin with a '/' character"),
      );
    if (path.slice(0, -1).includes('*'))
      problems.push(
        invalid(
          `${field}[${index}]`,
          path,
          "non-resource URL wildcards '*' must be the final character of the rule",
        ),
      );
    return problems;
  });
}

function validateResources(
  { group = '', resources = [], resourceNames = [] }: NonNullable<PolicyRule['resources']>[number],
  field: string,
): FieldError[] {
  const problems: FieldError[] = [];
  const texts = group === '' ? [] : dns1123Subdomain(group);
  if (texts.length > 0) problems.push(invalid(`${field}.group`, group, texts.join(',')));
  if (resourceNames.length > 0 && resources.length === 0)
    problems.push(
      invalidList(
        `${field}.resourceNames`,
        resourceNames,
        'using resourceNames requires at least one resource',
      ),
    );
  return problems;
}

function validateStages(stages: readonly string[], field: string): FieldError[] {
  return stages.flatMap((stage, index) =>
    STAGES.includes(stage)
      ? []
      : [invalid(`${field}[${index}]`, stage, `allowed stages are ${STAGES.join(',')}`)],
  );
}

/** An error for a list value, formatted like Go's `[]string`. */
const invalidList = (field: string, values: readonly string[], detail: string): FieldError =>
  invalidFormatted(field, `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`, detail);
