import { describe, expect, it } from 'vitest';
import { schemeOf } from '../../src/model/scheme.ts';
import { flowControlConflict, readRuntimeConfig } from '../../src/options/runtime-config.ts';

const row = (group: string, version: string, resource: string, optional = false) => ({
  group,
  version,
  resource,
  optional,
});
const KNOWN = schemeOf().groupVersions;
const RESOURCES = [
  row('', 'v1', 'pods'),
  row('apps', 'v1', 'deployments'),
  row('apps', 'v1', 'controllerrevisions'),
  row('batch', 'v1', 'jobs'),
  row('networking.k8s.io', 'v1', 'ingresses'),
  row('networking.k8s.io', 'v1beta1', 'ipaddresses', true),
  row('storage.k8s.io', 'v1alpha1', 'volumeattributesclasses', true),
];
const ALL = RESOURCES.map(({ group, version, resource }) => `${group}/${version}/${resource}`);

/** The served resources, as `group/version/resource`. */
function served(...entries: string[]): string[] {
  const { isEnabled } = readRuntimeConfig(entries, RESOURCES, KNOWN);
  return RESOURCES.filter(({ group, version, resource }) => isEnabled(group, version, resource)).map(
    ({ group, version, resource }) => `${group}/${version}/${resource}`,
  );
}
const without = (...names: string[]) => ALL.filter((name) => !names.includes(name));
const BETA = 'networking.k8s.io/v1beta1/ipaddresses';
const ALPHA = 'storage.k8s.io/v1alpha1/volumeattributesclasses';

describe('runtime configuration', () => {
  it('serves the default resources without it', () => expect(served()).toEqual(without(BETA, ALPHA)));
  it('treats a key without value as true', () =>
    expect(served('networking.k8s.io/v1beta1')).toEqual(without(ALPHA)));
  it('enables and disables stages', () => {
    expect(served('api/alpha=true', 'api/beta=true')).toEqual(ALL);
    expect(served('api/all=true')).toEqual(ALL);
    expect(served('api/ga=false', 'api/beta=true')).toEqual([BETA]);
  });
  it('prefers the more specific key, in any order', () => {
    expect(served('apps/v1/deployments=true', 'apps/v1=false', 'api/all=true')).toEqual(
      without('apps/v1/controllerrevisions'),
    );
    expect(served('apps/v1/controllerrevisions=false')).toEqual(
      without('apps/v1/controllerrevisions', BETA, ALPHA),
    );
    expect(served('api/all=false', 'v1=true')).toEqual(['/v1/pods']);
  });
  it('accepts versions that kube-apiserver knows and does not serve, and the legacy key', () => {
    const entries = [
      'extensions/v1beta1/ingresses=true',
      'policy/v1beta1',
      'apps/v1beta1=true',
      'api/legacy=false',
    ];
    expect(served(...entries)).toEqual(served());
  });
  it('names the setting that disables the API of priority and fairness', () => {
    expect(flowControlConflict(['api/all=false', 'v1=true', 'api/ga=false'])).toEqual([
      '--runtime-config=api/ga=false conflicts with --enable-priority-and-fairness=true',
    ]);
    expect(flowControlConflict(['api/all=true'])).toEqual([]);
  });
  it('accepts an unknown resource', () =>
    expect(served('apps/v1/nonsense=false', 'batch/v1=false')).toEqual(
      without('batch/v1/jobs', BETA, ALPHA),
    ));
  it('does not serve resources outside the table', () => {
    expect(readRuntimeConfig(['api/all=true'], RESOURCES, KNOWN).isEnabled('apps', 'v1', 'constructor')).toBe(
      false,
    );
  });
  it.each([
    ['nonsense.example.com/v1=true', 'unknown api groups nonsense.example.com'],
    ['apps/v9=true', 'group version apps/v9 that has not been registered'],
    ['api/gamma=true', 'unknown api groups api'],
    ['v2=true', 'runtime-config invalid key v2'],
    ['__proto__/v1', 'unknown api groups __proto__'],
    ['apps=true', 'runtime-config invalid key apps'],
    ['a/b/c/d=true', 'runtime-config invalid key a/b/c/d'],
    [
      'apps/v1=maybe',
      'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      'apps/v1/Deployments=true',
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
    ['api/all=false', 'invalid key with only api/all=false'],
    ['api/beta=maybe', 'invalid value api/beta=maybe'],
  ])('refuses %s', (entry, message) => {
    expect(() => readRuntimeConfig([entry], RESOURCES, KNOWN)).toThrow(expect.objectContaining({ message }));
  });
});
