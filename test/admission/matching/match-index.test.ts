import { describe, expect, it } from 'vitest';
import type { EquivalentResources } from '../../../src/admission/listers.ts';
import { MatchIndex, type MatchRules, matchedVersion } from '../../../src/admission/matching/match-index.ts';
import { isExemptFromWebhooks, ruleMatches } from '../../../src/admission/matching/rules.ts';
import { admissionRequest } from '../fixtures.ts';

const all = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'] };
const gvr = (group: string, version: string, resource: string) => ({ group, version, resource });

describe('a rule', () => {
  const matches = (patterns: string[], resource: string, subresource: string): boolean =>
    ruleMatches(
      { ...all, resources: patterns },
      { operation: 'CREATE', resource: gvr('', 'v1', resource), subresource, isClusterScoped: false },
    );

  it.each([
    [['*'], 'pods', '', true],
    [['*'], 'pods', 'status', false],
    [['*/*'], 'pods', 'status', true],
    [['*/*'], 'pods', '', true],
    [['pods/*'], 'pods', '', true],
    [['pods/*'], 'pods', 'exec', true],
    [['pods/*'], 'services', '', false],
    [['*/scale'], 'deployments', 'scale', true],
    [['*/scale'], 'deployments', '', false],
    [['pods/exec'], 'pods', 'attach', false],
    [['secrets', 'pods'], 'pods', '', true],
  ])('%j matches %s/%s: %s', (patterns, resource, subresource, expected) => {
    expect(matches(patterns, resource, subresource)).toBe(expected);
  });

  it.each([
    ['Cluster', true, true],
    ['Cluster', false, false],
    ['Namespaced', true, false],
    ['Namespaced', false, true],
    ['*', true, true],
    [undefined, false, true],
  ])('of scope %s matches a cluster-scoped request (%s): %s', (scope, isClusterScoped, expected) => {
    const rule = { ...all, resources: ['*'], ...(scope === undefined ? {} : { scope }) };
    const target = { operation: 'CREATE' as const, resource: gvr('', 'v1', 'x'), subresource: '' };
    expect(ruleMatches(rule, { ...target, isClusterScoped })).toBe(expected);
  });
});

describe('an index of rules', () => {
  const versions = ['v1', 'v2'];
  const equivalents: EquivalentResources = {
    generation: 0,
    of: ({ group, resource }) =>
      versions.map((version) => ({
        resource: gvr(group, version, resource),
        kind: { group, version, kind: 'Scaler' },
      })),
    versionsOf: () => versions,
  };
  const index = (...entries: MatchRules[]) =>
    new MatchIndex(entries, (entry) => entry, equivalents, isExemptFromWebhooks);
  const rule = (version: string, more: object = {}) => ({
    ...all,
    apiVersions: [version],
    resources: ['scalers'],
    ...more,
  });
  const request = (version: string, changes: object = {}) =>
    admissionRequest('scalers', {}, { resource: gvr('g', version, 'scalers'), ...changes });

  it('matches other served versions of the kind unless the match is exact', () => {
    const exact = { rules: [rule('v2')], isExact: true };
    const equivalent = { rules: [rule('v3'), rule('v2')], isExact: false };
    const found = index(exact, equivalent).candidates(request('v1'));
    expect(found.map(({ entry }) => entry)).toEqual([equivalent]);
    expect(matchedVersion(found[0]!, 'x')).toEqual({
      resource: gvr('g', 'v2', 'scalers'),
      kind: { group: 'g', version: 'v2', kind: 'Scaler' },
      names: undefined,
    });
    const own = index(exact, equivalent).candidates(request('v2'));
    expect(own.map((candidate) => matchedVersion(candidate, 'x')!.kind)).toEqual([undefined, undefined]);
  });

  it('excludes before it includes, and compares names', () => {
    const named = { rules: [rule('v1', { resourceNames: ['a'] })], isExact: true };
    const excluding = { rules: undefined, excludes: [rule('v1', { resourceNames: ['b'] })], isExact: true };
    const gone = { rules: undefined, excludes: [rule('v1')], isExact: true };
    const found = index(named, excluding, gone).candidates(request('v1'));
    const matched = (name: string) =>
      found.filter((candidate) => matchedVersion(candidate, name) !== undefined).map(({ entry }) => entry);
    expect([matched('a'), matched('b'), matched('c')]).toEqual([[named, excluding], [], [excluding]]);
  });

  it('says whether any version of a resource is handled, never for the configurations themselves', () => {
    const everything = index({ rules: [{ ...all, resources: ['*/*'] }], isExact: true });
    expect(everything.handles('CREATE', 'g', 'scalers', 'status')).toBe(true);
    expect(index({ rules: [rule('v2')], isExact: true }).handles('CREATE', 'g', 'scalers', '')).toBe(true);
    expect(index({ rules: [rule('v2')], isExact: true }).handles('CREATE', 'g', 'others', '')).toBe(false);
    const configurations = 'validatingwebhookconfigurations';
    expect(everything.handles('DELETE', 'admissionregistration.k8s.io', configurations, '')).toBe(false);
    const resource = gvr('admissionregistration.k8s.io', 'v1', configurations);
    expect(everything.candidates(admissionRequest('', {}, { resource }))).toEqual([]);
  });

  it('treats a namespace as cluster-scoped', () => {
    const scoped = (scope: string) => ({ rules: [{ ...all, resources: ['*'], scope }], isExact: true });
    const cluster = scoped('Cluster');
    const found = index(cluster, scoped('Namespaced')).candidates(
      admissionRequest('namespaces', {}, { namespace: '' }),
    );
    expect(found.map(({ entry }) => entry)).toEqual([cluster]);
  });
});
