import { describe, expect, it } from 'vitest';
import { selectControllers } from '../../src/controllers/selection.ts';
import { CONTROLLERS } from '../../src/controllers/table.ts';
import type { ControllerDeclaration } from '../../src/reconcile/declaration.ts';

const declarations: readonly Omit<ControllerDeclaration<never>, 'create'>[] = CONTROLLERS;
const ALL = declarations.flatMap(({ name, isOffByDefault }) => (isOffByDefault ? [] : [name])).sort();
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
