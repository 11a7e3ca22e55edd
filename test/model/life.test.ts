import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksByName, parseType } from '../../src/model/declare.ts';
import { aliveIn, isAlive, minorBefore, parseLife } from '../../src/model/life.ts';
import { TypeModel } from '../../src/model/type-model.ts';
import { laterDeclarations } from '../../src/model/types/later.ts';
import { DECLARED_MINORS, typesOfMinor } from '../support/minors.ts';

describe('a life', () => {
  it('includes its first release and excludes the first without', () => {
    const alive = (life: Parameters<typeof isAlive>[0]) =>
      DECLARED_MINORS.filter((minor) => isAlive(life, minor));
    expect(alive({})).toEqual(DECLARED_MINORS);
    expect(alive({ since: '1.36' })).toEqual(['1.36', '1.37']);
    expect(alive({ until: '1.34' })).toEqual(['1.32', '1.33']);
    expect(alive({ since: '1.34', until: '1.35' })).toEqual(['1.34']);
    expect(aliveIn([{ since: '1.33' }, { until: '1.33' }], '1.32')).toEqual([{ until: '1.33' }]);
    expect(minorBefore('1.33')).toBe('1.32');
  });

  it.each([
    ['1.34', '1.34', undefined],
    ['-1.36', undefined, '1.36'],
    ['1.34-1.36', '1.34', '1.36'],
  ])('is read from %s', (text, since, until) => expect(parseLife(text)).toEqual({ since, until }));

  it('names known releases only', () => expect(() => parseLife('1.3')).toThrow('unknown release'));
});

const BLOCK = `Thing kind
  @json second first third
  @union type second=Second third=Third
  first 1 string required@-1.34 enum=A|B@1.33|C_D@-1.33
  second 2 string default@-1.35="x" default@1.35="y" until=1.37
  third 3 int32 until=1.34
  third 3 *int64 since=1.34 list@1.36=set`;

describe('a declaration', () => {
  const of = (minor: Parameters<typeof isAlive>[1] | undefined) => {
    const { fields, jsonOrder, unions } = parseType(BLOCK, minor);
    const [first, second, third] = ['first', 'second', 'third'].map((name) =>
      fields.find((field) => field.name === name),
    );
    return {
      required: first!.flags.has('required'),
      enum: first!.options.get('enum'),
      default: second?.options.get('default'),
      third: `${third!.pointer} ${third!.type} ${third!.options.get('list')}`,
      jsonOrder: jsonOrder!.join(' '),
      union: unions[0]!.members.length,
    };
  };

  it('has the fields, modifiers and values of a release', () => {
    const later = { jsonOrder: 'second first third', union: 2, enum: 'A|B' };
    expect(of('1.32')).toEqual({
      ...later,
      required: true,
      enum: 'A|C_D',
      default: '"x"',
      third: 'false int32 undefined',
    });
    expect(of('1.34')).toEqual({ ...later, required: false, default: '"x"', third: 'true int64 undefined' });
    expect(of('1.36')).toEqual({ ...later, required: false, default: '"y"', third: 'true int64 set' });
    expect(of('1.37')).toMatchObject({ default: undefined, jsonOrder: 'first third', union: 1 });
  });

  it('has the fields of every release without one, the latest form of each', () =>
    expect(of(undefined)).toEqual({
      required: true,
      enum: 'A|B|C_D',
      default: '"y"',
      third: 'true int64 set',
      jsonOrder: 'second first third',
      union: 2,
    }));

  it('leaves types out that a release does not have', () => {
    const text = 'Old until=1.33\n  a 1 string\n\nNew kind since=1.34\n  a 1 string\n';
    expect([...blocksByName(text, '1.32').keys()]).toEqual(['Old']);
    expect([...blocksByName(text, '1.34').keys()]).toEqual(['New']);
    expect([...blocksByName(text, undefined).keys()]).toEqual(['Old', 'New']);
  });
});

describe('the types of each release', () => {
  it.each(DECLARED_MINORS)('%s resolve every reference, with unique and ascending numbers', async (minor) => {
    for (const type of (await typesOfMinor(minor)).all()) {
      for (const member of type.fields) expect(member.type.scalar ?? member.type.message).toBeDefined();
      const numbers = type.fields.map(({ number }) => number).filter((number) => number > 0);
      expect([type.name, numbers]).toEqual([
        type.name,
        [...new Set(numbers)].sort((left, right) => left - right),
      ]);
    }
  });

  it('are listed with the life that their file declares', async () => {
    for (const { since, until, load } of laterDeclarations)
      expect((await load()).default.life).toEqual(until === undefined ? { since } : { since, until });
  });

  it('can be added to a model that was used before', async () => {
    const [one] = laterDeclarations;
    const file = (await one!.load()).default;
    const model = new TypeModel([]);
    expect(model.ofKind(file.group, file.version, 'MutatingAdmissionPolicy')).toBeUndefined();
    model.add(file);
    model.add(file);
    expect(model.ofKind(file.group, file.version, 'MutatingAdmissionPolicy')?.kind).toBe(
      'MutatingAdmissionPolicy',
    );
  });
});

/** Where releases may be compared or looked up by name. */
const COMPILERS = new Set([
  'model/life.ts',
  'model/scheme.ts',
  // The emulation of release 1.31, whose gates are a table of their own.
  'options/feature-gates.ts',
  'options/options.ts',
]);

it('no other part compares releases', () => {
  const root = join(import.meta.dirname, '../../src');
  const comparing = (readdirSync(root, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts') && !COMPILERS.has(file))
    .filter((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return /[=!<>]==? *'1\.3\d'|'1\.3\d' *[=!<>]==?|case '1\.3\d'|includes\('1\.3\d'\)/.test(source);
    });
  expect(comparing).toEqual([]);
});
