import { describe, expect, it } from 'vitest';
import { selectControllers } from '../../src/controllers/selection.ts';

const ALL = [
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'validatingadmissionpolicy-status-controller',
];
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));
const selected = (...list: string[]): string[] => [...selectControllers(list)].sort();

describe('--controllers', () => {
  it.each([
    [['*'], ALL],
    [['-*'], []],
    [[], []],
    [['namespace'], ['namespace-controller']],
    [['namespace-controller', '-serviceaccount'], ['namespace-controller']],
    [['*', '-garbagecollector'], without('garbage-collector-controller')],
    [['-root-ca-cert-publisher', '*'], without('root-ca-certificate-publisher-controller')],
    [
      ['*', 'tokencleaner', 'bootstrap-signer-controller'],
      [...ALL, 'bootstrap-signer-controller', 'token-cleaner-controller'].sort(),
    ],
    [
      ['*', '-pvc-protection', '-pv-protection'],
      without('persistentvolumeclaim-protection-controller', 'persistentvolume-protection-controller'),
    ],
    [['-*', 'serviceaccount'], ['serviceaccount-controller']],
    [['-*', '*'], ALL],
    [['*', '-*'], []],
    [['*', '-*', '*', '-namespace'], without('namespace-controller')],
    [['-*', 'namespace', '*', '-namespace'], ALL],
    [['namespace', '*', '-*'], ['namespace-controller']],
  ])('%j', (list, expected) => expect(selected(...list)).toEqual(expected));

  it('rejects unknown controllers', () =>
    expect(() => selected('*', '-nobody')).toThrow('"nobody" is not a known controller'));
});
