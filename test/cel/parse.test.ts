import { describe, expect, test } from 'vitest';
import { CompileError } from '../../src/cel/errors.ts';
import { parse } from '../../src/cel/parse.ts';
import { print } from './support/print.ts';

const tree = (text: string, twoVariableComprehensions = false): string =>
  print(parse(text, { twoVariableComprehensions }).root);

function failure(text: string): string {
  try {
    parse(text, { twoVariableComprehensions: false });
  } catch (error) {
    expect(error).toBeInstanceOf(CompileError);
    return (error as CompileError).message;
  }
  return '';
}

describe('syntax trees', () => {
  test.each([
    ['a + b * c - d', '_-_(_+_(a,_*_(b,c)),d)'],
    ['a < b == c', '_==_(_<_(a,b),c)'],
    ['a ? b : c ? d : e', '_?_:_(a,b,_?_:_(c,d,e))'],
    ['a && b && c && d', '_&&_(_&&_(a,b),_&&_(c,d))'],
    ['!!a', 'a'],
    ['!!!a', '!_(a)'],
    ['--1', '1'],
    ['-1', '-1'],
    ['- 1.5', '-1.5'],
    ['-(1)', '-_(1)'],
    ['a.b.c(d)[0].?e[?f]', '_[?_](_?._(_[_](a.b.c(d),0),"e"),f)'],
    ['.a.b', '.a.b'],
    ['.f(x)', '.f(x)'],
    ['{"a": 1, ?b: c,}', '{"a":1,?b:c}'],
    ['[1, ?x,]', '[1,?x]'],
    ['a.b.C{d: 1, ?e: f}', 'a.b.C{d:1,?e:f}'],
    ['x in [0x1F, 7u, 0xAu, .5, 1e3]', '@in(x,[31,7u,10u,0.5,1000])'],
    ['has(a.b)', 'a.b~test-only~'],
    ['a.namespace', 'a.namespace'],
    [
      'l.filter(x, p)',
      '__comprehension__(x,l,__result__,[],true,_?_:_(p,_+_(__result__,[x]),__result__),__result__)',
    ],
    [
      'l.exists_one(x, p)',
      '__comprehension__(x,l,__result__,0,true,_?_:_(p,_+_(__result__,1),__result__),_==_(__result__,1))',
    ],
    [
      'o.optMap(x, x)',
      '_?_:_(o.hasValue(),optional.of(__comprehension__(#unused,[],x,o.value(),false,x,x)),optional.none())',
    ],
    ['// nothing\n1 // one', '1'],
  ])('%s', (text, expected) => expect(tree(text)).toBe(expected));

  test('expands two-variable macros only when enabled', () => {
    expect(tree('l.all(i, v, p)')).toBe('l.all(i,v,p)');
    expect(tree('l.all(i, v, p)', true)).toBe(
      '__comprehension__(i,v,l,__result__,true,@not_strictly_false(__result__),_&&_(__result__,p),__result__)',
    );
    expect(tree('m.transformMap(k, v, v)', true)).toBe(
      '__comprehension__(k,v,m,__result__,{},true,cel.@mapInsert(__result__,k,v),__result__)',
    );
  });

  test('records the original call of a macro by the id of its expansion', () => {
    const { root, macroCalls } = parse('l.all(x, x)', { twoVariableComprehensions: false });
    expect(print(macroCalls.get(root.id)!)).toBe('l.all(x,x)');
  });

  test.each([
    [String.raw`"a\n\t\x41\u00e9\U0001F600\101\"'"`, 'a\n\tA\u00e9\u{1f600}A"\''],
    [String.raw`r"a\n"`, String.raw`a\n`],
    ["'''a\r\nb\rc'''", 'a\nb\nc'],
    ['"""a"b"""', 'a"b'],
    ["''", ''],
  ])('string %s', (text, value) => {
    expect(parse(text, { twoVariableComprehensions: false }).root).toMatchObject({
      constant: { type: 'string', value },
    });
  });

  test('encodes bytes literals as UTF-8 and byte escapes as single bytes', () => {
    const { root } = parse(String.raw`b"é\xff\377"`, { twoVariableComprehensions: false });
    expect(root).toMatchObject({ constant: { type: 'bytes', value: Uint8Array.of(0xc3, 0xa9, 0xff, 0xff) } });
  });

  test('counts positions in code points', () => {
    const { root, positions } = parse('"😀" + x', { twoVariableComprehensions: false });
    expect(positions.get(root.id)).toBe(4);
  });
});

const ANY =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

describe('syntax errors', () => {
  test.each([
    ['', `ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting ${ANY}`],
    ['1 +\n', `ERROR: <input>:2:1: Syntax error: mismatched input '<EOF>' expecting ${ANY}\n | \n | ^`],
    ['f(x', "ERROR: <input>:1:4: Syntax error: missing ')' at '<EOF>'\n | f(x\n | ...^"],
    [
      '[1 2]',
      "ERROR: <input>:1:4: Syntax error: extraneous input '2' expecting {']', ','}\n | [1 2]\n | ...^",
    ],
    ['{"a"}', "ERROR: <input>:1:5: Syntax error: mismatched input '}' expecting ':'\n | {\"a\"}\n | ....^"],
    [
      'a ? b',
      "ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting ':'\n | a ? b\n | .....^",
    ],
    ['a.', "ERROR: <input>:1:3: Syntax error: no viable alternative at input '.'\n | a.\n | ..^"],
    ['a\n  .b é', "ERROR: <input>:2:6: Syntax error: token recognition error at: 'é'\n |   .b é\n | .....＾"],
    ['a b', "ERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>\n | a b\n | ..^"],
    ['"\\ud800"', 'ERROR: <input>:1:1: invalid unicode code point\n | "\\ud800"\n | ^'],
    ['1e999', 'ERROR: <input>:1:1: invalid double literal\n | 1e999\n | ^'],
    ['package', 'ERROR: <input>:1:1: reserved identifier: package\n | package\n | ^'],
    ['l.map(__result__, 1)', ''],
    [
      'l.true',
      "ERROR: <input>:1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER\n | l.true\n | ..^",
    ],
  ])('%j', (text, expected) => expect(failure(text)).toBe(expected));

  test('lists several errors by position', () => {
    expect(
      failure('if + ) + 99999999999999999999')
        .split('\n')
        .filter((line) => line.startsWith('ERROR')),
    ).toEqual([
      'ERROR: <input>:1:1: reserved identifier: if',
      `ERROR: <input>:1:6: Syntax error: mismatched input ')' expecting ${ANY}`,
      'ERROR: <input>:1:10: invalid int literal',
    ]);
  });
});

describe('limits', () => {
  const nested = (depth: number): string => `${'('.repeat(depth)}1${')'.repeat(depth)}`;

  test('rejects deep nesting', () => {
    expect(tree(nested(249))).toBe('1');
    expect(failure(nested(250))).toBe('ERROR: <input>:-1:0: expression recursion limit exceeded: 250');
    expect(failure('['.repeat(50_000))).toBe('ERROR: <input>:-1:0: expression recursion limit exceeded: 250');
    expect(failure(`a${'.b'.repeat(30_000)}`)).toBe(
      'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    );
    expect(failure(`1${'+1'.repeat(49_000)}`)).toBe(
      'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    );
    expect(failure(`${'f(a<'.repeat(100)}1${')'.repeat(100)}`)).toBe(
      'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    );
    expect(failure(`${'['.repeat(90)}${'a.b.c'}[a.b+1<2]${']'.repeat(90)}`)).toBe('');
  });

  test('rejects long texts', () => {
    expect(failure(' '.repeat(100_001))).toBe(
      'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000',
    );
    expect(tree(`"${'😀'.repeat(99_998)}"`)).toHaveLength(2 * 99_998 + 2);
  });

  test('balances logical chains of any length', () => {
    expect(failure(`a${'&&a'.repeat(33_000)}`)).toBe('');
    expect(failure(`!${'!'.repeat(99_000)}a`)).toBe('');
  });

  test('bounds syntax errors and recoveries', () => {
    expect(
      failure('$'.repeat(1000))
        .split('\n')
        .filter((line) => line.startsWith('ERROR')),
    ).toHaveLength(100);
    expect(failure(`[${'{a},'.repeat(40)}]`)).toContain('error recovery attempt limit exceeded: 30');
    expect(failure('a '.repeat(1000))).toContain('error recovery token lookahead limit exceeded: 256');
  });

  test('bounds nested copies by macros', () => {
    expect(failure(`o${'.optMap(x, x)'.repeat(60)}`)).toBe(
      'ERROR: <input>:-1:0: expression expands to too many nodes',
    );
  });
});
