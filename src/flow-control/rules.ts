import type {
  FlowSchema,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../model/generated/flowcontrol-v1.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../request/user.ts';

const ALL = '*';
const SERVICE_ACCOUNT = 'system:serviceaccount:';

/** A set of values; `undefined` matches any value. */
type Values = ReadonlySet<string> | undefined;
const valuesOf = (values: readonly string[] = []): Values =>
  values.includes(ALL) ? undefined : new Set(values);
const includes = (values: Values, value: string): boolean => values === undefined || values.has(value);

export type UserTest = (user: UserInfo) => boolean;
export type RequestTest = (info: RequestInfo) => boolean;

/** A compiled rule of a flow schema: a test for the user and one for the request. */
export interface FlowRule {
  readonly concerns: UserTest;
  readonly covers: RequestTest;
}

export function compileRules(schema: FlowSchema): FlowRule[] {
  return (schema.spec?.rules ?? []).map((rule) => ({
    concerns: userTest(rule.subjects),
    covers: requestTest(rule),
  }));
}

function userTest(subjects: readonly Subject[] = []): UserTest {
  const tests = subjects.map(subjectTest);
  return (user) => tests.some((test) => test(user));
}

function subjectTest({ kind, user, group, serviceAccount }: Subject): UserTest {
  switch (kind) {
    case 'User':
      return user?.name === ALL ? () => true : ({ name }) => name === user?.name;
    case 'Group':
      return group?.name === ALL ? () => true : ({ groups }) => groups.includes(group?.name ?? '');
    case 'ServiceAccount': {
      const prefix = `${SERVICE_ACCOUNT}${serviceAccount?.namespace ?? ''}:`;
      return serviceAccount?.name === ALL
        ? ({ name }) => name.startsWith(prefix)
        : ({ name }) => name === prefix + (serviceAccount?.name ?? '');
    }
    default:
      return () => false;
  }
}

function requestTest({ resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects): RequestTest {
  const resources = resourceRules.map(resourceTest);
  const paths = nonResourceRules.map(({ verbs, nonResourceURLs = [] }): RequestTest => {
    const accepted = valuesOf(verbs);
    const exact = valuesOf(nonResourceURLs);
    const prefixes = nonResourceURLs.map(prefixOf);
    return ({ verb, path }) =>
      includes(accepted, verb) &&
      (includes(exact, path) || prefixes.some((prefix) => path.startsWith(prefix)));
  });
  return (info) => (info.isResource ? resources : paths).some((test) => test(info));
}

/** The prefix of the paths that a path of a rule covers besides itself: those below it, also without a star. */
function prefixOf(url: string): string {
  const prefix = url.endsWith(ALL) ? url.slice(0, -1) : url;
  return prefix.endsWith('/') ? prefix : `${prefix}/`;
}

/** A request without namespace needs `clusterScope`; any other must match `namespaces`. */
function resourceTest(rule: ResourcePolicyRule): RequestTest {
  const verbs = valuesOf(rule.verbs);
  const groups = valuesOf(rule.apiGroups);
  const resources = valuesOf(rule.resources);
  const namespaces = valuesOf(rule.namespaces);
  const clusterScope = rule.clusterScope === true;
  return ({ verb, group, resource, subresource, namespace }) =>
    includes(verbs, verb) &&
    includes(groups, group) &&
    (resources === undefined ||
      resources.has(subresource === '' ? resource : `${resource}/${subresource}`)) &&
    (namespace === '' ? clusterScope : includes(namespaces, namespace));
}
