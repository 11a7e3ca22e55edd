import { GROUP_AUTHENTICATED } from '../../request/user.ts';

/**
 * One line of a policy file: what a user or group may do. Empty members match nothing but what is empty; `*`
 * matches everything.
 */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const VERSION = 'abac.authorization.kubernetes.io/v1beta1';
const OLD_VERSION = 'abac.authorization.kubernetes.io/v0';
const TEXTS = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;

/** What was read, and warnings about lines without a version. */
export interface AbacPolicyFile {
  readonly policies: readonly AbacPolicy[];
  readonly warnings: readonly string[];
}

/**
 * Reads a policy file: one JSON object a line, empty lines and those beginning with `#` are passed over.
 * Lines without a version have the form of releases before 1.1 (v0).
 * @throws Error naming file and line
 */
export function readPolicyFile(text: string, file: string): AbacPolicyFile {
  const policies: AbacPolicy[] = [];
  let old = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const fail = (reason: string) =>
      new Error(`error reading policy file ${file}, line ${index + 1}: ${line}: ${reason}`);
    const object = parse(trimmed, fail);
    const { apiVersion, kind } = object;
    if (apiVersion === undefined && kind === undefined) {
      old += 1;
      policies.push(readOld(object, fail));
    } else if (apiVersion === OLD_VERSION && kind === 'Policy') policies.push(readOld(object, fail));
    else if (apiVersion === VERSION && kind === 'Policy') policies.push(readCurrent(object, fail));
    else if (typeof apiVersion !== 'string' || typeof kind !== 'string')
      throw fail("Object 'apiVersion' or 'kind' is missing");
    else
      throw fail(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  }
  return {
    policies,
    warnings:
      old === 0
        ? []
        : [
            `Policy file ${file} contained unversioned rules: give them apiVersion ${VERSION} and kind Policy`,
          ],
  };
}

type Fail = (reason: string) => Error;
type Members = Readonly<Record<string, unknown>>;

function parse(line: string, fail: Fail): Members {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw fail((error as Error).message);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('a policy is a JSON object');
  return value as Members;
}

/** `*` means all who showed who they are. */
function readCurrent({ spec = {} }: Members, fail: Fail): AbacPolicy {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) throw fail('spec is no object');
  const policy = readMembers(spec as Members, fail);
  return policy.user === '*' || policy.group === '*' ? { ...policy, group: GROUP_AUTHENTICATED } : policy;
}

function readMembers(spec: Members, fail: Fail): AbacPolicy {
  const texts = Object.fromEntries(
    TEXTS.map((member) => {
      const value = spec[member] ?? '';
      if (typeof value !== 'string') throw fail(`${member} is no text`);
      return [member, value];
    }),
  ) as Record<(typeof TEXTS)[number], string>;
  const { readonly = false } = spec;
  if (typeof readonly !== 'boolean') throw fail('readonly is no boolean');
  return { ...texts, readonly };
}

/**
 * In the old form a policy without user and group is for all who are authenticated, and what is left out
 * matches everything.
 */
function readOld(object: Members, fail: Fail): AbacPolicy {
  const { user, group, readonly, resource, namespace } = readMembers(object, fail);
  const everybody = (user === '' && group === '') || user === '*' || group === '*';
  const policy = {
    user: user === '*' ? '' : user,
    group: everybody ? GROUP_AUTHENTICATED : group,
    readonly,
    apiGroup: '*',
    resource: resource === '' ? '*' : resource,
    namespace: namespace === '' ? '*' : namespace,
    nonResourcePath: '',
  };
  // Only a policy about everything is about paths too.
  return resource === '' && namespace === '' ? { ...policy, nonResourcePath: '*' } : policy;
}
