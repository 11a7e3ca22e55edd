import type { PolicyRule } from '../model/generated/rbac-v1.ts';
import { trimEnd } from '../model/trim-end.ts';
import type { Attributes } from '../request/attributes.ts';

const ALL = '*';

/** A rule prepared for matching: `undefined` in place of a set means everything. */
export interface CompiledRule {
  readonly source: PolicyRule;
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly resources: ReadonlySet<string> | undefined;
  /** undefined: any name, including the empty one. */
  readonly names: ReadonlySet<string> | undefined;
  readonly paths: ReadonlySet<string> | undefined;
  /** Prefixes of path patterns such as `/tree/*`. */
  readonly pathPrefixes: readonly string[];
}

const unlessAll = (values: readonly string[] = []): ReadonlySet<string> | undefined =>
  values.includes(ALL) ? undefined : new Set(values);

export function compileRule(rule: PolicyRule): CompiledRule {
  const { resourceNames = [], nonResourceURLs = [] } = rule;
  return {
    source: rule,
    verbs: unlessAll(rule.verbs),
    groups: unlessAll(rule.apiGroups),
    resources: unlessAll(rule.resources),
    names: resourceNames.length === 0 ? undefined : new Set(resourceNames),
    paths: unlessAll(nonResourceURLs),
    pathPrefixes: nonResourceURLs.filter((path) => path.endsWith(ALL)).map((path) => trimEnd(path, '*')),
  };
}

/** The attributes of a request in the form of rules. */
export interface RuleRequest {
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  /** `pods`, or `pods/log`. */
  readonly resource: string;
  /** `*` and the subresource (`*` `/scale`), empty without one. */
  readonly anyResource: string;
  readonly name: string;
  readonly path: string;
}

export function ruleRequest({
  verb,
  isResource,
  group,
  resource,
  subresource,
  name,
  path,
}: Attributes): RuleRequest {
  const plain = subresource === '';
  return {
    verb,
    isResource,
    group,
    resource: plain ? resource : `${resource}/${subresource}`,
    anyResource: plain ? '' : `*/${subresource}`,
    name,
    path,
  };
}

/** Whether one rule allows the request. */
export function ruleAllows(rule: CompiledRule, request: RuleRequest): boolean {
  if (rule.verbs !== undefined && !rule.verbs.has(request.verb)) return false;
  if (!request.isResource)
    return (
      rule.paths === undefined ||
      rule.paths.has(request.path) ||
      rule.pathPrefixes.some((prefix) => request.path.startsWith(prefix))
    );
  return (
    (rule.groups === undefined || rule.groups.has(request.group)) &&
    (rule.resources === undefined ||
      rule.resources.has(request.resource) ||
      (request.anyResource !== '' && rule.resources.has(request.anyResource))) &&
    (rule.names === undefined || rule.names.has(request.name))
  );
}
