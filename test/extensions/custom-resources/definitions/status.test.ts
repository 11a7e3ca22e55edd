import { expect, it } from 'vitest';
import { summarize } from '../../../../src/extensions/custom-resources/definitions/definition.ts';
import { servedState } from '../../../../src/extensions/custom-resources/definitions/served-state.ts';
import { definitionStatus } from '../../../../src/extensions/custom-resources/definitions/status.ts';
import type { CustomResourceDefinition } from '../../../../src/model/generated/apiextensions-v1.ts';
import { schemeOf } from '../../../../src/model/scheme.ts';

const { has } = schemeOf();

const NOW = '2030-01-01T00:00:00Z';
const BEFORE = '2029-01-01T00:00:00Z';
const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
const free = { hasResource: () => false, hasKind: () => false };
const taken = { hasResource: (name: string) => name === 'th', hasKind: () => false };
const definition = (
  spec: CustomResourceDefinition['spec'] = {},
  status: CustomResourceDefinition['status'] = {},
  annotations: Record<string, string> = {},
) =>
  summarize({ metadata: { name: 'x', annotations }, spec: { group: 'example.com', names, ...spec }, status });
const lines = (status: CustomResourceDefinition['status']) =>
  (status?.conditions ?? []).map(
    (one) => `${one.type}=${one.status} ${one.reason} ${one.lastTransitionTime === NOW ? 'now' : 'before'}`,
  );
const condition = (type: string, status: string, reason = 'R') => ({
  type,
  status,
  reason,
  message: 'm',
  lastTransitionTime: BEFORE,
});

it('accepts names and establishes a definition at once', () => {
  const status = definitionStatus(definition({}, { storedVersions: ['v1'] }), free, NOW);
  expect(lines(status)).toEqual([
    'NamesAccepted=True NoConflicts now',
    'Established=True InitialNamesAccepted now',
  ]);
  expect([status.acceptedNames, status.storedVersions]).toEqual([names, ['v1']]);
});

it('returns the same status if nothing changes', () => {
  const settled = definition({}, definitionStatus(definition(), free, NOW));
  expect(definitionStatus(settled, taken, BEFORE)).toBe(settled.status);
});

it('does not establish a definition whose names conflict', () => {
  const status = definitionStatus(definition({ names: { ...names, shortNames: ['th'] } }), taken, NOW);
  expect(lines(status)).toEqual([
    'NamesAccepted=False ShortNamesConflict now',
    'Established=False NotAccepted now',
  ]);
  const later = definitionStatus(
    definition({ names: { ...names, shortNames: ['th'] } }, status),
    free,
    '2031-01-01T00:00:00Z',
  );
  expect(later.conditions?.map(({ status: one }) => one)).toEqual(['True', 'True']);
});

it('keeps a definition established when later names conflict', () => {
  const established = {
    acceptedNames: names,
    conditions: [condition('NamesAccepted', 'True'), condition('Established', 'True')],
  };
  const status = definitionStatus(
    definition({ names: { ...names, singular: 'tau', shortNames: ['th'] } }, established),
    taken,
    NOW,
  );
  expect(lines(status)).toEqual(['NamesAccepted=False ShortNamesConflict now', 'Established=True R before']);
  expect(status.acceptedNames).toEqual({ ...names, singular: 'tau' });
});

it('leaves conditions that a client replaced while the names are accepted', () => {
  const replaced = definition({}, { acceptedNames: names, conditions: [condition('Mine', 'True')] });
  expect(definitionStatus(replaced, free, NOW)).toBe(replaced.status);
});

it('does not establish a definition with an invalid CA bundle', () => {
  const conversion = (caBundle: string) => ({
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { caBundle } } },
  });
  const status = definitionStatus(definition(conversion('bm9wZQ==')), free, NOW);
  expect(lines(status)).toEqual([
    'NamesAccepted=True NoConflicts now',
    'Established=False InvalidCABundle now',
  ]);
  const repaired = definitionStatus(definition({}, status), free, NOW);
  expect(lines(repaired)[1]).toBe('Established=True InitialNamesAccepted now');
});

it.each([
  ['https://example.com/1', 'True ApprovedAnnotation: approved in https://example.com/1'],
  ['unapproved, a test', 'False UnapprovedAnnotation: not approved: "unapproved, a test"'],
  [
    '',
    'False MissingAnnotation: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
  [
    'https:///path',
    'False InvalidAnnotation: protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
])('reports the approval %j of a protected group', (annotation, text) => {
  const given = { 'api-approved.kubernetes.io': annotation };
  const { conditions } = definitionStatus(definition({ group: 'x.k8s.io' }, {}, given), free, NOW);
  const { type, status, reason, message } = conditions![2]!;
  expect([type, `${status} ${reason}: ${message}`]).toEqual(['KubernetesAPIApprovalPolicyConformant', text]);
  expect(definitionStatus(definition({ group: 'xk8s.io' }, {}, given), free, NOW).conditions).toHaveLength(2);
});

it('reports old definitions that are not structural, until they are', () => {
  const versions = [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } }];
  const old = definition({ preserveUnknownFields: true, versions });
  const status = definitionStatus(old, free, NOW);
  expect(status.conditions?.[2]).toMatchObject({
    type: 'NonStructuralSchema',
    status: 'True',
    reason: 'Violations',
    message:
      '[spec.preserveUnknownFields: Invalid value: true: must be false, spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields]',
  });
  expect(definitionStatus(definition({}, status), free, NOW).conditions).toHaveLength(2);
});

it('serves accepted names', () => {
  expect(servedState({}, has)).toEqual({ served: false, terminating: false });
  const conditions = [condition('NamesAccepted', 'True'), condition('Terminating', 'True')];
  expect(servedState({ status: { acceptedNames: names, conditions } }, has)).toEqual({
    served: true,
    terminating: true,
  });
  expect(servedState({ status: { conditions } }, has).served).toBe(false);
});
