import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/cel/compile.ts';
import { declarationsOf } from '../../../src/cel/declarations/declarations.ts';
import { LIBRARIES } from '../../../src/cel/declarations/libraries.ts';
import { CompileError } from '../../../src/cel/errors.ts';
import {
  BOOL,
  DYN,
  INT,
  list,
  map,
  type ObjectType,
  opaque,
  STRING,
  TIMESTAMP,
  type Type,
  typeName,
} from '../../../src/cel/types.ts';
import { print } from '../support/print.ts';

const node: ObjectType = {
  kind: 'object',
  name: 'Node',
  field: (name) => {
    const fields: Readonly<Record<string, Type>> = {
      name: STRING,
      children: list(node),
      labels: map(STRING, STRING),
      since: TIMESTAMP,
      any: DYN,
    };
    return Object.hasOwn(fields, name) ? { type: fields[name]! } : undefined;
  },
};

const declarations = declarationsOf('stored', {
  variables: new Map<string, Type>([
    ['self', node],
    ['i', INT],
    ['claims', map(STRING, { kind: 'any' })],
    ['authorizer', opaque('kubernetes.authorization.Authorizer')],
    ['authorizer.requestResource', opaque('kubernetes.authorization.ResourceCheck')],
    ['a.b', BOOL],
  ]),
  types: new Map([['Node', node]]),
});

const typed = (text: string): string => typeName(compile(text, declarations).type);

function errorsOf(text: string): readonly string[] {
  try {
    compile(text, declarations);
  } catch (error) {
    if (error instanceof CompileError)
      return error.issues.map(({ line, column, message }) => `${line}:${column + 1} ${message}`);
    throw error;
  }
  return [];
}

describe('types', () => {
  test.each([
    ['self.children[0].children.map(c, c.name)', 'list(string)'],
    ['self.children.filter(c, c.since < timestamp(1))', 'list(Node)'],
    ['self.labels["a"]', 'string'],
    ['self.?labels.a', 'optional_type(string)'],
    ['self.any.x.y[0]', 'dyn'],
    ['has(self.any.x)', 'bool'],
    ['[[], [1]]', 'list(list(int))'],
    ['[dyn(1), [2][0]].size()', 'int'],
    ['{}', 'map(dyn, dyn)'],
    ['[].map(x, x)[0].foo', 'dyn'],
    ['optional.of([]).value() + [1]', 'list(int)'],
    ['authorizer.requestResource.check("get").allowed()', 'bool'],
    ['a.b && .a.b', 'bool'],
    ['type(i) == int', 'bool'],
    ['type(type(i))', 'type(type(int))'],
    ['Node{name: "x", children: [Node{}]}', 'Node'],
    ['google.protobuf.Timestamp{seconds: 1}', 'timestamp'],
    ['claims.sub + "x"', 'string'],
    ['claims.a.b', 'dyn'],
    ['[1, 2].transformMap(i, v, string(v))', 'map(int, string)'],
    ['[self, null][0]', 'null'],
  ])('%s', (text, type) => {
    // The types in mixed literals are tested elsewhere.
    if (text.includes('null') || text.includes('dyn(1)'))
      expect(errorsOf(text)[0]).toContain('expected type');
    else expect(typed(text)).toBe(type);
  });

  test('a loop variable shadows a variable inside the loop only', () => {
    expect(typed('["x"].map(i, i)[0] + string(i)')).toBe('string');
  });

  test('assigns a type to every node and references to names and calls', () => {
    const checked = compile('self.children.exists(c, c.name == "x")', declarations);
    const seen = print(checked.root, ({ id }) => {
      const reference = checked.references.get(id);
      const name =
        reference === undefined
          ? ''
          : reference.kind === 'name'
            ? `^${reference.name}`
            : `^${reference.ids.join('|')}`;
      return `~${typeName(checked.types.get(id)!)}${name}`;
    });
    expect(seen).toBe(
      '__comprehension__(c,self~Node^self.children~list(Node),__result__,false~bool,' +
        '@not_strictly_false(!_(__result__~bool^__result__)~bool^logical_not)~bool^not_strictly_false,' +
        '_||_(__result__~bool^__result__,_==_(c~Node^c.name~string,"x"~string)~bool^equals)~bool^logical_or,__result__~bool^__result__)~bool',
    );
  });

  test('matches several overloads for a dynamic argument', () => {
    const checked = compile('self.any.size()', declarations);
    expect(checked.references.get(checked.root.id)).toEqual({
      kind: 'overloads',
      ids: ['bytes_size', 'list_size', 'map_size', 'string_size'],
    });
  });
});

describe('type errors', () => {
  test.each([
    ['self.nope', ["1:5 undefined field 'nope'"]],
    ['has(self.nope)', ["1:4 undefined field 'nope'"]],
    [
      'self.children.all(c, c.nope == 1 || c.bad)',
      ["1:23 undefined field 'nope'", "1:38 undefined field 'bad'"],
    ],
    ['Node{nope: 1}', ["1:10 undefined field 'nope'"]],
    ['Node{name: 1}', ["1:10 expected type of field 'name' is 'string' but provided type is 'int'"]],
    ['int{}', ["1:4 'int' is not a message type"]],
    ['i{}', ["1:2 'i' is not a type"]],
    ['Nope{}', ["1:5 undeclared reference to 'Nope' (in container '')"]],
    ['self.children.exists(c, d, c == 1, 2)', ["1:21 undeclared reference to 'exists' (in container '')"]],
    [
      'claims.aud.all(a, true)',
      ["1:7 expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)"],
    ],
    ['[[]] == [1]', ["1:6 found no matching overload for '_==_' applied to '(list(list(dyn)), list(int))'"]],
    [
      '"%d %s".format([i, "x", 3])',
      ['1:15 too many arguments supplied to string.format (expected 2, got 3)'],
    ],
    ['"%".format([1])', ['1:11 unexpected end of string']],
    ['"%.f".format([1.0])', [expect.stringContaining('strconv.Atoi: parsing "": invalid syntax')]],
    ['"%s".format([["a", self]])', [expect.stringContaining('was given Node')]],
    [
      '{"a": 1, 2: "b"}',
      ["1:10 expected type 'string' but found 'int'", "1:13 expected type 'int' but found 'string'"],
    ],
    ['matches("(", "x")', ['1:9 invalid matches argument']],
    ['l', ["1:1 undeclared reference to 'l' (in container '')"]],
  ])('%s', (text, expected) =>
    expect(errorsOf(text).filter((line) => !line.includes("'c'") && !line.includes("'d'"))).toEqual(expected),
  );

  test('rejects types of exponential size quickly', () => {
    const nested = `[1]${Array.from({ length: 60 }, (_, depth) => `.map(x${depth}, {x${depth}: [x${depth}]})`).join('')}`;
    const open = nested.replace('[1]', '[[]]');
    for (const text of [nested, open, `[${nested}, ${nested}]`, `${nested} + 1`])
      expect(errorsOf(text)).toEqual(['-1:0 types of the expression are too large']);
  });
});

describe('declarations', () => {
  test('overload ids are unique within a function', () => {
    for (const { functions } of LIBRARIES) {
      for (const { overloads } of functions)
        expect(new Set(overloads.map(({ id }) => id)).size).toBe(overloads.length);
    }
  });

  test('new expressions have no functions newer than the compatibility version', () => {
    const older = declarationsOf('new', { variables: new Map() });
    expect(older.overloads('cel.@mapInsert')).toBeUndefined();
    expect(declarations.overloads('cel.@mapInsert')).toHaveLength(2);
    expect(older.twoVariableComprehensions).toBe(false);
  });
});
