import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCelCommand } from '../../../src/cli/cel/command.ts';

let directory: string;
const file = (name: string): string => join(directory, name);

const RULES = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.test}
spec:
  group: example.test
  names: {plural: things, kind: Thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
  - name: v2
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf, message: only grows}]}
              text: {type: string, maxLength: 10}
`;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-cel-'));
  writeFileSync(file('definition.yaml'), RULES);
  writeFileSync(
    file('small.yaml'),
    'apiVersion: example.test/v2\nkind: Thing\nmetadata: {name: a}\nspec: {size: 1, text: x}\n',
  );
  writeFileSync(
    file('large.json'),
    '{"apiVersion":"example.test/v2","kind":"Thing","metadata":{"name":"a"},"spec":{"size":9007199254740993}}',
  );
  writeFileSync(file('params.yaml'), 'data: {limit: 1}\n');
  writeFileSync(file('nothing.yaml'), '');
  writeFileSync(file('list.yaml'), '- a\n');
  writeFileSync(file('broken.yaml'), 'a: [');
  writeFileSync(
    file('no-schema.yaml'),
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: [{name: v1}]}\n',
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run(...words: string[]): { code: number; out: string; error: string } {
  const result = { code: 0, out: '', error: '' };
  result.code = runCelCommand(words, {
    out: (text) => {
      result.out += text;
    },
    error: (text) => {
      result.error += text;
    },
  });
  return result;
}

describe('binnacle cel EXPRESSION', () => {
  it('prints value, type and costs', () => {
    expect(run('self.spec.size <= 5', '--self', file('small.yaml'))).toEqual({
      code: 0,
      out: 'value           true\ncost            4\ntype            bool\nestimated cost  2 to 2\n',
      error: '',
    });
  });

  it('computes with exact integers', () => {
    expect(run('self.spec.size + 1', `--self=${file('large.json')}`).out).toContain(
      'value           9007199254740994\n',
    );
  });

  it('points at the position of a compile error', () => {
    expect(run('1 +')).toEqual({
      code: 1,
      out: '',
      error: expect.stringMatching(/^ERROR: <input>:1:4: Syntax error: .*\n \| 1 \+\n \| \.\.\.\^\n$/),
    });
    expect(
      run('self.spec.sise > 1', '--self', file('small.yaml'), '--schema', file('definition.yaml')),
    ).toEqual({
      code: 1,
      out: '',
      error: "ERROR: <input>:1:10: undefined field 'sise'\n | self.spec.sise > 1\n | .........^\n",
    });
  });

  it('prints the cost and type of a failed evaluation', () => {
    expect(run('self.spec.nothing', '--self', file('small.yaml'))).toEqual({
      code: 1,
      out: 'cost            3\ntype            dyn\nestimated cost  1 to 1\n',
      error: 'Error: no such key: nothing\n',
    });
    expect(run('int("x")')).toEqual({
      code: 1,
      out: '',
      error: "Error: type conversion error from 'string' to 'int'\n",
    });
  });

  it('uses types and sizes of a schema', () => {
    const { out } = run(
      'self.spec.text == "abc"',
      '--self',
      file('small.yaml'),
      '--schema',
      file('definition.yaml'),
    );
    expect(out).toContain('value           false\n');
    expect(out).toContain('estimated cost  4 to 4\n');
    expect(
      run(
        'self.spec.size + oldSelf.spec.size',
        '--self',
        file('small.yaml'),
        '--old',
        file('small.yaml'),
        '--schema',
        file('definition.yaml'),
      ).out,
    ).toContain('value           2\n');
  });

  it('checks an expression for its environment', () => {
    const policy = (expression: string, ...more: string[]) =>
      run(expression, '--environment', 'vap', '--self', file('small.yaml'), ...more);
    expect(
      policy(
        'oldObject == null && object.spec.size == params.data.limit',
        `--variable=params=${file('params.yaml')}`,
      ),
    ).toMatchObject({
      code: 0,
      error: '',
    });
    expect(policy('object.spec.size')).toMatchObject({
      code: 1,
      error: 'Error: must evaluate to bool but got dyn\n',
    });
    expect(policy('self.spec')).toMatchObject({
      code: 1,
      error: expect.stringContaining("undeclared reference to 'self'"),
    });
  });

  it('prints values without a JSON form by their parts', () => {
    expect(run('quantity("1500m")').out).toContain(
      'value           {"opaque":"kubernetes.Quantity","text":"1500m"}\n',
    );
    expect(run('{1: [timestamp("2024-02-29T00:00:00Z")]}').out).toContain(
      'google.protobuf.Timestamp","value":"2024-02-29T00:00:00Z"',
    );
    expect(run('optional.of(duration("90s"))').out).toContain('value           "90s"\n');
  });
});

describe('binnacle cel --schema --self', () => {
  it("evaluates the rules of the object's version", () => {
    const definition = ['--schema', file('definition.yaml')];
    expect(run(...definition, '--self', file('large.json'), '--old', file('small.yaml'))).toEqual({
      code: 0,
      out: 'all rules hold, cost 3 of 10000000\n',
      error: '',
    });
    expect(run(...definition, '--self', file('small.yaml'), '--old', file('large.json'))).toEqual({
      code: 1,
      out: '1 failed, cost 3 of 10000000\n',
      error: 'spec.size: only grows\n',
    });
  });
});

describe('binnacle cel --cases', () => {
  const computed = (name: string, cases: unknown): unknown => {
    writeFileSync(file(name), JSON.stringify(cases));
    const { code, out, error } = run('--cases', file(name));
    expect([code, error]).toEqual([0, '']);
    return JSON.parse(out);
  };

  it('computes evaluation cases', () => {
    const given = [
      { id: 1, expr: 'x + 1u', vars: { x: { type: 'uint', value: 1 } } },
      {
        id: 2,
        expr: 'm.a',
        vars: { m: { type: 'map(string)', value: { a: 'b' } } },
        env: 'stored',
        cost: 99,
        value: 'forgotten',
      },
      { id: 3, expr: 'int("x")' },
      { id: 4, expr: '[1][2]' },
      { id: 5, expr: 'y' },
    ];
    expect(computed('eval-own.json', given)).toEqual([
      {
        ...given[0],
        resultType: 'uint',
        estimateMin: '2',
        estimateMax: '2',
        cost: 2,
        value: { uint64Value: '2' },
      },
      {
        id: 2,
        expr: 'm.a',
        vars: given[1]!.vars,
        env: 'stored',
        resultType: 'string',
        estimateMin: '2',
        estimateMax: '2',
        cost: 2,
        value: { stringValue: 'b' },
      },
      {
        id: 3,
        expr: 'int("x")',
        resultType: 'int',
        estimateMin: '1',
        estimateMax: '1',
        programError: "type conversion error from 'string' to 'int'",
      },
      {
        id: 4,
        expr: '[1][2]',
        resultType: 'int',
        estimateMin: '11',
        estimateMax: '11',
        cost: expect.any(Number),
        evalError: 'index out of bounds: 2',
      },
      {
        id: 5,
        expr: 'y',
        compileError: "ERROR: <input>:1:1: undeclared reference to 'y' (in container '')\n | y\n | ^",
      },
    ]);
  });

  it('computes environment cases', () => {
    expect(
      computed('environments.json', [
        { env: 'vap', expr: '1' },
        { env: 'authz', expr: 'request.user == "a"' },
      ]),
    ).toEqual([
      { env: 'vap', expr: '1', error: 'must evaluate to bool but got int' },
      { env: 'authz', expr: 'request.user == "a"', ok: true },
    ]);
  });

  it('computes rule and definition cases', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
    };
    expect(computed('crd-rules.json', [{ schema, root: false, object: { a: 0 } }])).toEqual([
      {
        schema,
        root: false,
        object: { a: 0 },
        minSerializedSize: 2,
        compiled: [
          { path: '', rule: 'self.a > 0', usesOldSelf: false, maxCost: '3', maxCardinality: '1048576' },
        ],
        errors: [
          {
            type: 'FieldValueInvalid',
            field: '<nil>',
            badValue: 'object',
            detail: 'failed rule: self.a > 0',
          },
        ],
        usedBudget: 3,
      },
    ]);
    expect(
      computed('crd-validation.json', [
        { schema: { type: 'object', 'x-kubernetes-validations': [{ rule: '' }] } },
      ]),
    ).toMatchObject([
      {
        errors: [
          'spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Required value: rule is not specified',
        ],
      },
    ]);
  });
});

describe('command-line errors', () => {
  /** Runs with letters for the names of files, and returns letters in errors. */
  const inFiles = (words: readonly string[]) => {
    const files: Readonly<Record<string, string>> = {
      S: file('small.yaml'),
      D: file('definition.yaml'),
      P: file('params.yaml'),
      L: file('list.yaml'),
      N: file('no-schema.yaml'),
      Y: file('broken.yaml'),
    };
    const { code, error } = run(...words.map((word) => files[word] ?? word));
    return {
      code,
      error: Object.entries(files).reduce((text, [letter, path]) => text.replaceAll(path, letter), error),
    };
  };

  it.each([
    [[], 'nothing to evaluate: give an expression, or --schema and --self; see binnacle cel --help'],
    [['1', '2'], 'more than one expression: enclose the expression in quotes'],
    [['1', '--nothing'], 'unknown flag: --nothing; see binnacle cel --help'],
    [['1', '--shcema=a'], 'unknown flag: --shcema; did you mean --schema?'],
    [['1', '--self'], 'flag needs an argument: --self'],
    [['1', '--variable', 'x'], '--variable takes NAME=FILE, not "x"'],
    [['1', '--variable', 'x='], '--variable takes NAME=FILE, not "x="'],
    [['--schema', 'D'], 'nothing to evaluate: give an expression, or --self; see'],
    [['--self', 'S'], 'nothing to evaluate: give an expression, or --schema; see'],
    [['--cases', 'S', '1'], '--cases takes no expression'],
    [
      ['request.user == "a"', '--self', 'S', '--old', 'S', '--environment', 'authz'],
      '--old has no meaning here: there is no previous request',
    ],
    [
      ['--schema', 'S', '--self', 'S'],
      '--schema takes a CustomResourceDefinition or a schema, and S is neither: it is a Thing',
    ],
    [['--schema', 'P', '--self', 'S'], 'and P is neither: it has the member data'],
    [['--schema', 'L', '--self', 'S'], 'and L is neither: its members have other types'],
    [['--schema', 'N', '--self', 'S'], 'the definition in N has no schema'],
    [['1', '--self', 'Y'], 'Y: '],
    [['--cases', 'Y'], 'Y: '],
    [['1', '--environment', 'moon'], 'unknown environment "moon"; use one of rule, vap, '],
    [['1', '--self', '/no/such/file'], 'open /no/such/file: no such file or directory'],
  ])('%j', (words, text) => {
    const { code, error } = inFiles(words);
    expect(code).toBe(1);
    expect(error).toMatch(/^Error: [^\n]*\n$/);
    expect(error).toContain(text);
  });

  it('reports invalid files in one line', () => {
    expect(run('1', '--self', file('nothing.yaml')).error).toMatch(/^Error: [^\n]*\n$/);
    expect(run('--cases', file('params.yaml')).error).toMatch(/^Error: [^\n]*\n$/);
    writeFileSync(file('eval-odd.json'), '[1]');
    expect(run('--cases', file('eval-odd.json')).error).toMatch(
      /^Error: eval-odd.json is not a list of cases\n$/,
    );
    writeFileSync(file('schema.yaml'), 'type: 5\n');
    expect(run('1', '--schema', file('schema.yaml')).error).toMatch(/^Error: [^\n]*\n$/);
    writeFileSync(file('broken.yaml'), 'a: [\n');
    expect(run('1', '--self', file('broken.yaml')).error).toMatch(/^Error: [^\n]*\n$/);
  });

  it('prints help', () =>
    expect(run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--environment NAME') }));
});
