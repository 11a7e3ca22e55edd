import { describe, expect, it } from 'vitest';
import { schemeOf } from '../../src/model/scheme.ts';
import { readFeatureGates } from '../../src/options/feature-gates.ts';

describe('feature gates', () => {
  it('have the defaults of the release', () => {
    const { enabled, all } = readFeatureGates([], schemeOf());
    for (const gate of [
      'APIResponseCompression',
      'WatchList',
      'AuthorizeWithSelectors',
      'StructuredAuthenticationConfiguration',
      'StructuredAuthorizationConfiguration',
    ] as const)
      expect(enabled(gate)).toBe(true);
    for (const gate of [
      'CBORServingAndStorage',
      'AllowUnsafeMalformedObjectDeletion',
      'MutatingAdmissionPolicy',
      'CoordinatedLeaderElection',
    ] as const)
      expect(enabled(gate)).toBe(false);
    expect(all.size).toBe(schemeOf().gates.size);
  });

  it('cannot be set with the component and without', () => {
    expect(() => readFeatureGates(['kube:WatchList=true', 'APIServerTracing=true'], schemeOf())).toThrow(
      'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
    );
  });

  it('can be set, also with the component', () => {
    const { enabled } = readFeatureGates(
      ['kube:CBORServingAndStorage=true', 'kube:WatchList=false', 'kube:APIResponseCompression=F', 'kube:'],
      schemeOf(),
    );
    expect([
      enabled('CBORServingAndStorage'),
      enabled('WatchList'),
      enabled('APIResponseCompression'),
    ]).toEqual([true, false, false]);
  });

  it('can be set by stage, except those that are set explicitly', () => {
    const gates = readFeatureGates(
      ['AllAlpha=true', 'AllBeta=false', 'CBORServingAndStorage=false', 'WatchList=true'],
      schemeOf(),
    );
    expect(gates.enabled('CBORServingAndStorage')).toBe(false);
    expect(gates.enabled('MutatingAdmissionPolicy')).toBe(true);
    expect(gates.enabled('WatchList')).toBe(true);
    expect(gates.enabled('APIResponseCompression')).toBe(false);
    expect(gates.enabled('StructuredAuthorizationConfiguration')).toBe(true);
  });

  it('warn if GA or deprecated gates are set', () => {
    expect(
      readFeatureGates(
        ['StructuredAuthorizationConfiguration=true', 'KMSv1=true', 'WatchList=true'],
        schemeOf(),
      ).warnings,
    ).toEqual([
      'Setting GA feature gate StructuredAuthorizationConfiguration=true. It will be removed in a future release.',
      'Setting deprecated feature gate KMSv1=true. It will be removed in a future release.',
    ]);
  });

  it.each([
    ['NoSuchGate=true', 'unrecognized feature gate: NoSuchGate'],
    ['__proto__=true', 'unrecognized feature gate: __proto__'],
    ['ServerSideApply=true', 'unrecognized feature gate: ServerSideApply'],
    ['ValidatingAdmissionPolicy=true', 'unrecognized feature gate: ValidatingAdmissionPolicy'],
    [
      'StructuredAuthorizationConfiguration=false',
      'cannot set feature gate StructuredAuthorizationConfiguration to false, feature is locked to true',
    ],
    ['APIResponseCompression', 'missing bool value for APIResponseCompression'],
    [
      'APIResponseCompression=maybe',
      'invalid value of APIResponseCompression=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    ['wardle:A=true', 'component not registered: wardle'],
  ])('refuse %s', (entry, message) => {
    expect(() => readFeatureGates([entry], schemeOf())).toThrow(expect.objectContaining({ message }));
  });
});
