import { expect, it } from 'vitest';
import { summarize } from '../../../../src/extensions/custom-resources/definitions/definition.ts';
import { NameIndex } from '../../../../src/extensions/custom-resources/definitions/name-index.ts';
import {
  acceptNames,
  freesNames,
  sameNames,
} from '../../../../src/extensions/custom-resources/definitions/names.ts';

const used = (resources: string[], kinds: string[]) => ({
  hasResource: (name: string) => resources.includes(name),
  hasKind: (name: string) => kinds.includes(name),
});
const ALPHA = used(['alphas', 'alpha', 'al', 'ap'], ['Alpha', 'AlphaList']);

it.each([
  [
    'plural',
    { plural: 'al', singular: 'ay', kind: 'Ay', listKind: 'AyList' },
    { plural: '', singular: 'ay', kind: 'Ay', listKind: 'AyList' },
    'PluralConflict: "al" is already in use',
  ],
  [
    'singular',
    { plural: 'betas', singular: 'alphas', kind: 'Beta', listKind: 'BetaList' },
    { plural: 'betas', kind: 'Beta', listKind: 'BetaList' },
    'SingularConflict: "alphas" is already in use',
  ],
  [
    'short names, all or none',
    { plural: 'gammas', singular: 'gamma', kind: 'Gamma', listKind: 'GammaList', shortNames: ['alpha', 'g'] },
    { plural: 'gammas', singular: 'gamma', kind: 'Gamma', listKind: 'GammaList' },
    'ShortNamesConflict: "alpha" is already in use',
  ],
  [
    'several short names',
    { plural: 'gammas', singular: 'gamma', kind: 'Gamma', listKind: 'GammaList', shortNames: ['al', 'ap'] },
    { plural: 'gammas', singular: 'gamma', kind: 'Gamma', listKind: 'GammaList' },
    'ShortNamesConflict: ["al" is already in use, "ap" is already in use]',
  ],
  [
    'kind',
    { plural: 'deltas', singular: 'delta', kind: 'AlphaList', listKind: 'DeltaList' },
    { plural: 'deltas', singular: 'delta', kind: '', listKind: 'DeltaList' },
    'KindConflict: "AlphaList" is already in use',
  ],
  [
    'everything: the last one is reported',
    { plural: 'zetas', singular: 'alpha', kind: 'Alpha', listKind: 'AlphaList', shortNames: ['al', 'z'] },
    { plural: 'zetas', kind: '' },
    'ListKindConflict: "AlphaList" is already in use',
  ],
])('reports a conflict of %s and accepts the other names', (_, wanted, accepted, text) => {
  const decision = acceptNames(wanted, {}, ALPHA);
  expect(decision.acceptedNames).toEqual(accepted);
  const { status, reason, message } = decision.condition;
  expect([status, `${reason}: ${message}`]).toEqual(['False', text]);
});

it('keeps own names and takes categories from the definition', () => {
  const own = { plural: 'alphas', singular: 'alpha', kind: 'Alpha', listKind: 'AlphaList' };
  const wanted = { ...own, shortNames: ['al', 'a2'], categories: ['all'] };
  const decision = acceptNames(wanted, { ...own, shortNames: ['al', 'ap'], categories: ['greek'] }, ALPHA);
  expect(decision.acceptedNames).toEqual(wanted);
  expect(decision.condition).toEqual({
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  });
});

it('compares absent and empty names as equal', () => {
  expect(
    sameNames({ plural: 'a', kind: 'A' }, { plural: 'a', kind: 'A', singular: '', shortNames: [] }),
  ).toBe(true);
  expect(sameNames({ plural: 'a', kind: 'A' }, { plural: 'a', kind: 'B' })).toBe(false);
  expect(freesNames({ plural: 'a', shortNames: ['b'] }, { plural: 'a' })).toBe(false);
  expect(freesNames({ plural: 'a' }, { plural: 'a', shortNames: ['b'] })).toBe(true);
  expect(freesNames(undefined, { kind: 'A' })).toBe(true);
});

it('counts names once when other fields change, and notes who waits', () => {
  const index = new NameIndex(() => []);
  const definition = (accepted: string) =>
    summarize({
      spec: { group: 'g' },
      status: {
        acceptedNames: { plural: 'ones', shortNames: ['o'] },
        conditions: [{ type: 'NamesAccepted', status: accepted }],
      },
    });
  const [refused, accepted] = [definition('False'), definition('True')];
  index.change('one', refused, undefined);
  expect([...index.waiting('g')]).toEqual(['one']);
  index.change('one', accepted, refused);
  expect([...index.waiting('g')]).toEqual([]);
  index.change('one', undefined, accepted);
  expect(index.used('g').hasResource('o')).toBe(false);
});

it('counts the names of a group, the built-in ones included', () => {
  const index = new NameIndex((group) => (group === 'g' ? [{ plural: 'pods', kind: 'Pod' }] : []));
  const definition = (acceptedNames: object) =>
    summarize({ spec: { group: 'g' }, status: { acceptedNames } });
  const one = definition({ plural: '__proto__', kind: 'One' });
  const two = definition({ plural: 'twos', singular: '__proto__', kind: 'Two' });
  index.change('one', one, undefined);
  index.change('two', two, undefined);
  index.change('one', undefined, one);
  const names = index.used('g');
  expect([names.hasResource('__proto__'), names.hasKind('One'), names.hasKind('Pod')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(names.hasResource('constructor')).toBe(false);
  expect([...index.waiting('g')]).toEqual(['two']);
  index.change('two', undefined, two);
  expect([index.used('g').hasResource('twos'), index.used('g').hasResource('pods')]).toEqual([false, true]);
  expect(index.used('h').hasResource('pods')).toBe(false);
});
