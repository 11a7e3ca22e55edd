import { ConfigurationError } from '../errors/configuration-error.ts';
import type { GroupVersion } from '../model/group-versions.ts';
import type { Life } from '../model/life.ts';
import { apiVersionOf } from '../model/object.ts';
import { parseBoolean } from './flags/forms.ts';

/** The properties of a built-in resource for the runtime configuration. */
export interface KnownResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** The releases that have it in this version; default: every one. */
  readonly life?: Life;
  /** The feature gate without which it is not served. */
  readonly gate?: string | undefined;
  /** Disabled by default. */
  readonly optional: boolean;
}

/** Which built-in resources are served; false for unknown ones. */
export interface ApiEnablement {
  isEnabled(group: string, version: string, resource: string): boolean;
}

/** The keys for several groups, in order of precedence; later ones win. */
const WIDE_KEYS = new Map<string, (version: string) => boolean>([
  ['api/all', () => true],
  ['api/ga', (version) => /^v\d+$/.test(version)],
  ['api/beta', (version) => /^v\d+beta\d+$/.test(version)],
  ['api/alpha', (version) => /^v\d+alpha\d+$/.test(version)],
]);

/** A key of earlier releases without effect. */
const IGNORED_KEY = 'api/legacy';

/** Settings that disable the objects of priority and fairness, in order of precedence. */
const FLOW_CONTROL_KEYS = ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all'];

/** Returns an error if `--runtime-config` disables the API that priority and fairness needs. */
export function flowControlConflict(entries: readonly string[]): string[] {
  const key = FLOW_CONTROL_KEYS.find((name) => entries.some((entry) => entry === `${name}=false`));
  return key === undefined
    ? []
    : [`--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true`];
}

/**
 * Parses `--runtime-config`: `<key>[=true|false]` with a key of {@link WIDE_KEYS}, `group/version` or
 * `group/version/resource`; `api/v1` or `v1` is the core group. The more specific key wins. An unknown
 * resource is accepted.
 * @param known the group versions of the release, served or not
 * @param isAvailable whether the resource can be served at all, by feature gates and the emulated version
 * @throws ConfigurationError for an unknown group or version, a malformed key or value
 */
export function readRuntimeConfig(
  entries: readonly string[],
  resources: Iterable<KnownResource>,
  known: readonly GroupVersion[],
  isAvailable: (resource: KnownResource) => boolean = () => true,
): ApiEnablement {
  const entryValues = new Map(
    entries.map((entry): [string, string] => {
      const equals = entry.indexOf('=');
      return equals < 0 ? [entry, ''] : [entry.slice(0, equals).trim(), entry.slice(equals + 1).trim()];
    }),
  );
  if (entryValues.size === 1 && entryValues.get('api/all') === 'false')
    throw new ConfigurationError('invalid key with only api/all=false');

  const groups = new Map<string, Set<string>>();
  for (const { group, version } of known) groups.set(group, (groups.get(group) ?? new Set()).add(version));
  const enabled = new Map<string, boolean>();
  for (const one of resources) {
    const { group, version, resource, optional } = one;
    groups.set(group, (groups.get(group) ?? new Set()).add(version));
    if (isAvailable(one)) enabled.set(`${group}/${version}/${resource}`, !optional);
  }
  const specific = [...entryValues]
    .filter(([key]) => !WIDE_KEYS.has(key) && key !== IGNORED_KEY)
    .map(([key, text]) => specificKey(key, text));
  const unknown = specific.filter(({ group }) => !groups.has(group));
  if (unknown.length > 0)
    throw new ConfigurationError(`unknown api groups ${unknown.map(({ group }) => group).join(',')}`);
  for (const { group, version } of specific) {
    if (!groups.get(group)!.has(version))
      throw new ConfigurationError(
        `group version ${apiVersionOf(group, version)} that has not been registered`,
      );
  }

  const rules: { matches: (key: string) => boolean; value: boolean }[] = [];
  for (const [key, matches] of WIDE_KEYS) {
    const text = entryValues.get(key);
    if (text === undefined) continue;
    if (text !== 'true' && text !== 'false' && text !== '')
      throw new ConfigurationError(`invalid value ${key}=${text}`);
    rules.push({ matches: (name) => matches(name.split('/')[1]!), value: text !== 'false' });
  }
  for (const { group, version, resource, value } of specific.sort(
    (left, right) => Number(left.resource !== undefined) - Number(right.resource !== undefined),
  )) {
    const prefix = `${group}/${version}/${resource ?? ''}`;
    rules.push({
      matches: resource === undefined ? (name) => name.startsWith(prefix) : (name) => name === prefix,
      value,
    });
  }
  for (const name of enabled.keys())
    for (const { matches, value } of rules) if (matches(name)) enabled.set(name, value);
  return { isEnabled: (group, version, resource) => enabled.get(`${group}/${version}/${resource}`) === true };
}

function specificKey(
  key: string,
  text: string,
): { group: string; version: string; resource: string | undefined; value: boolean } {
  const tokens = key.split('/');
  // The core group is written `v1` or `api/v1`.
  if (tokens[0] === 'v1') tokens.unshift('');
  else if (tokens[0] === 'api' && tokens[1] === 'v1') tokens[0] = '';
  const [group, version, resource] = tokens;
  if (tokens.length > 3 || group === undefined || version === undefined || version === '')
    throw new ConfigurationError(`runtime-config invalid key ${key}`);
  if (resource !== undefined && resource !== resource.toLowerCase()) {
    throw new ConfigurationError(
      `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${JSON.stringify(resource)}`,
    );
  }
  try {
    return { group, version, resource, value: text === '' || parseBoolean(text) };
  } catch (error) {
    throw new ConfigurationError(`invalid value of ${key}: ${text}, err: ${(error as Error).message}`);
  }
}
