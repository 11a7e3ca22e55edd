import { type FieldError, invalid, invalidFormatted } from '../../status/field-error.ts';

const DUPLICATE = 'the same resource cannot be specified multiple times';
const OVERLAP =
  "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
const CAPITALS = 'resource name should not contain capital letters';
const STAR = "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
const WITHOUT_API = 'resources which do not have REST API/s cannot be encrypted';
const EVENTS =
  "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
const EXTENSIONS = "'extensions' group has been removed and cannot be used for encryption";
const ACROSS_GROUPS = 'encrypting the same resource across groups is not supported';
const NOT_ENCRYPTED = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

interface Pattern {
  readonly resource: string;
  readonly group: string;
}

/** Parses `resource[.group]`. */
function patternOf(text: string): Pattern {
  const dot = text.indexOf('.');
  return dot < 0
    ? { resource: text, group: '' }
    : { resource: text.slice(0, dot), group: text.slice(dot + 1) };
}

/** Validates the resources of one rule. */
export function resourceErrors(path: string, resources: readonly string[]): FieldError[] {
  return [
    ...overlapErrors(path, resources),
    ...resources.flatMap((resource, index) => {
      const problem = nameProblem(resource);
      return problem === undefined ? [] : [invalid(`${path}[${index}]`, resource, problem)];
    }),
  ];
}

function overlapErrors(path: string, resources: readonly string[]): FieldError[] {
  const patterns = resources.map(patternOf);
  const duplicate =
    new Set(patterns.map(({ resource, group }) => `${resource}.${group}`)).size < patterns.length;
  const formatted = `[]string{${resources.map((one) => JSON.stringify(one)).join(', ')}}`;
  return [
    ...(duplicate ? [invalidFormatted(path, formatted, DUPLICATE)] : []),
    ...(overlaps(patterns) ? [invalidFormatted(path, formatted, OVERLAP)] : []),
  ];
}

/** Whether a wildcard covers another pattern. */
function overlaps(patterns: readonly Pattern[]): boolean {
  const sizes = new Map<string, number>();
  for (const { group } of patterns) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return patterns.some(
    ({ resource, group }) => resource === '*' && (group === '*' ? patterns.length : sizes.get(group)!) > 1,
  );
}

function nameProblem(text: string): string | undefined {
  if (text.toLowerCase() !== text) return CAPITALS;
  if (text === '*') return STAR;
  if (NOT_ENCRYPTED.has(text)) return WITHOUT_API;
  const { resource, group } = patternOf(text);
  if (group === 'events.k8s.io') return EVENTS;
  if (group === 'extensions') return EXTENSIONS;
  return group === '*' && resource !== '*' ? ACROSS_GROUPS : undefined;
}
