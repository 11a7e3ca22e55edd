import { quote } from '../../errors/quote.ts';
import { GROUP_AUTHENTICATED } from '../../request/user.ts';

/**
 * One line of a policy file: permissions of a user or group. Empty members match only empty attributes; `*`
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

/** A parsed policy file, with warnings about unversioned lines. */
export interface AbacPolicyFile {
  readonly policies: readonly AbacPolicy[];
  readonly warnings: readonly string[];
}

/**
 * Parses a policy file: one JSON object per line; empty lines and lines that start with `#` are skipped.
 * Lines without a version use the format of releases before 1.1 (v0).
 * @throws Error with file and line
 */
export function readPolicyFile(text: string, file: string): AbacPolicyFile {
  const policies: AbacPolicy[] = [];
  let unversioned = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const fail = (reason: string) =>
      new Error(`error reading policy file ${file}, line ${index + 1}: ${line}: ${reason}`);
    const object = parse(trimmed, fail);
    const { apiVersion, kind } = object;
    if (apiVersion === undefined && kind === undefined) {
      unversioned += 1;
      policies.push(readUnversioned(object, fail));
    } else if (apiVersion === OLD_VERSION && kind === 'Policy') policies.push(readUnversioned(object, fail));
    else if (apiVersion === VERSION && kind === 'Policy') policies.push(readCurrent(object, fail));
    else if (typeof apiVersion !== 'string' || typeof kind !== 'string')
      throw fail("Object 'apiVersion' or 'kind' is missing");
    else throw fail(`no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`);
  }
  return {
    policies,
    warnings:
      unversioned === 0
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
    throw fail('a policy must be a JSON object');
  return value as Members;
}

/** `*` means all authenticated users. */
function readCurrent({ spec = {} }: Members, fail: Fail): AbacPolicy {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) throw fail('spec must be an object');
  const policy = readMembers(spec as Members, fail);
  return policy.user === '*' || policy.group === '*' ? { ...policy, group: GROUP_AUTHENTICATED } : policy;
}

function readMembers(spec: Members, fail: Fail): AbacPolicy {
  const texts = Object.fromEntries(
    TEXTS.map((member) => {
      const value = spec[member] ?? '';
      if (typeof value !== 'string') throw fail(`${member} must be a string`);
      return [member, value];
    }),
  ) as Record<(typeof TEXTS)[number], string>;
  const { readonly = false } = spec;
  if (typeof readonly !== 'boolean') throw fail('readonly must be a boolean');
  return { ...texts, readonly };
}

/**
 * In v0 a policy without user and group applies to all authenticated users, and absent members match
 * everything.
 */
function readUnversioned(object: Members, fail: Fail): AbacPolicy {
  const { user, group, readonly, resource, namespace } = readMembers(object, fail);
  const allUsers = (user === '' && group === '') || user === '*' || group === '*';
  const policy = {
    user: user === '*' ? '' : user,
    group: allUsers ? GROUP_AUTHENTICATED : group,
    readonly,
    apiGroup: '*',
    resource: resource === '' ? '*' : resource,
    namespace: namespace === '' ? '*' : namespace,
    nonResourcePath: '',
  };
  // Only a policy without resource and namespace covers non-resource paths.
  return resource === '' && namespace === '' ? { ...policy, nonResourcePath: '*' } : policy;
}
