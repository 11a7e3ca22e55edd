import { describe, expect, it } from 'vitest';
import { selectControllers } from '../../src/controllers/selection.ts';

const ALL = ['garbage-collector-controller', 'namespace-controller', 'root-ca-certificate-publisher-controller', 'serviceaccount-controller'];
const selected = (...list: string[]): string[] => [...selectControllers(list)].sort();

describe('--controllers', () => {
  it.each([
    [['*'], ALL],
    [['-*'], []],
    [[], []],
    [['namespace'], ['namespace-controller']],
    [['namespace-controller', '-serviceaccount'], ['namespace-controller']],
    [['*', '-garbagecollector'], ALL.slice(1)],
    [
      ['-root-ca-cert-publisher', '*'],
      ['garbage-collector-controller', 'namespace-controller', 'serviceaccount-controller'],
    ],
    [['-*', 'serviceaccount'], ['serviceaccount-controller']],
  ])('%j', (list, expected) => expect(selected(...list)).toEqual(expected));

  it('refuses names of no controller', () => expect(() => selected('*', '-nobody')).toThrow('"nobody" is no built-in controller'));
});
