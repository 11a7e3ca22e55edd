import { describe, expect, test } from 'vitest';
import { applyJsonPatch as applyJsonPatchInSteps, MAXIMUM_OPERATIONS } from '../../src/patch/index.ts';
import { ApiError } from '../../src/status/index.ts';
import { atOnce } from '../support/at-once.ts';

const applyJsonPatch = atOnce(applyJsonPatchInSteps);

const REJECTED = { code: 422, message: 'the server rejected our request due to an error in our request' };

function failure(run: () => unknown): Partial<ApiError> {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
}

describe('JSON Patch', () => {
  const document = { data: { one: '1', two: '2' }, list: ['a', 'b'] };

  test.each([
    [
      'add',
      [{ op: 'add', path: '/data/three', value: '3' }],
      { ...document, data: { one: '1', two: '2', three: '3' } },
    ],
    ['add into a list', [{ op: 'add', path: '/list/1', value: 'x' }], { ...document, list: ['a', 'x', 'b'] }],
    ['add at the end', [{ op: 'add', path: '/list/-', value: 'x' }], { ...document, list: ['a', 'b', 'x'] }],
    [
      'a negative index counts from the end',
      [{ op: 'replace', path: '/list/-1', value: 'x' }],
      { ...document, list: ['a', 'x'] },
    ],
    [
      'replace of a missing member adds it',
      [{ op: 'replace', path: '/data/new', value: 'x' }],
      { ...document, data: { one: '1', two: '2', new: 'x' } },
    ],
    ['remove', [{ op: 'remove', path: '/data/one' }], { ...document, data: { two: '2' } }],
    [
      'move',
      [{ op: 'move', from: '/data/one', path: '/data/uno' }],
      { ...document, data: { two: '2', uno: '1' } },
    ],
    [
      'copy',
      [{ op: 'copy', from: '/list', path: '/data/list' }],
      { ...document, data: { one: '1', two: '2', list: ['a', 'b'] } },
    ],
    [
      'a copy is independent',
      [
        { op: 'copy', from: '/list', path: '/again' },
        { op: 'add', path: '/again/-', value: 'c' },
      ],
      { ...document, again: ['a', 'b', 'c'] },
    ],
    ['a test for absence', [{ op: 'test', path: '/data/none', value: null }], document],
    [
      'a missing value is null',
      [{ op: 'add', path: '/data/none' }],
      { ...document, data: { one: '1', two: '2', none: null } },
    ],
    [
      'escapes',
      [{ op: 'add', path: '/data/a~1b~0c', value: 'x' }],
      { ...document, data: { one: '1', two: '2', 'a/b~c': 'x' } },
    ],
    ['the whole document', [{ op: 'replace', path: '', value: {} }], {}],
    ['nothing', null, document],
  ])('%s', (_name, patch, expected) => {
    const before = JSON.stringify(document);
    expect(applyJsonPatch(document, patch)).toEqual(expected);
    expect(JSON.stringify(document)).toBe(before);
  });

  test.each([null, 5, 'x'])('the whole document stays for %j, or the patch is refused', (value) => {
    const patch = [{ op: 'replace', path: '', value }];
    expect(applyJsonPatch(document, patch)).toEqual(document);
    const rules = { refusesScalarRoot: true };
    expect(failure(() => applyJsonPatch(document, patch, undefined, undefined, rules))).toEqual(REJECTED);
  });

  test.each([
    ['a path below a missing member', { op: 'add', path: '/none/x', value: 1 }],
    ['remove of a missing member', { op: 'remove', path: '/data/none' }],
    ['move of a missing member', { op: 'move', from: '/data/none', path: '/data/x' }],
    ['a test that fails', { op: 'test', path: '/data/one', value: '2' }],
    ['out of bounds', { op: 'replace', path: '/list/2', value: 'x' }],
    ['too far from the end', { op: 'replace', path: '/list/-3', value: 'x' }],
    ['a token that is not an index', { op: 'add', path: '/list/x', value: 'x' }],
    ['an unknown operation', { op: 'explode', path: '/data' }],
    ['no path', { op: 'add', value: 1 }],
    ['an inherited member', { op: 'add', path: '/constructor/prototype/x', value: 1 }],
  ])('%s is refused', (_name, operation) => {
    expect(failure(() => applyJsonPatch(document, [operation]))).toEqual(REJECTED);
  });

  test('__proto__ is an ordinary member', () => {
    const result = applyJsonPatch({}, [
      { op: 'add', path: '/__proto__', value: { polluted: true } },
    ]) as object;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).toEqual(['__proto__']);
  });

  test('bodies that are not a patch are refused', () => {
    expect(failure(() => applyJsonPatch({}, {}))).toMatchObject({
      code: 400,
      message: expect.stringContaining(
        'cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      ),
    });
    expect(failure(() => applyJsonPatch({}, ['x']))).toMatchObject({ code: 400 });
    expect(failure(() => applyJsonPatch({}, [{ op: 1 }]))).toMatchObject({ code: 400 });
    expect(failure(() => applyJsonPatch({}, Array(MAXIMUM_OPERATIONS + 1).fill(null)))).toMatchObject({
      code: 413,
    });
  });

  test.each<[string, unknown, (index: number) => object]>([
    ['deep pointers', {}, (index) => ({ op: 'add', path: '/a'.repeat((index % 100) + 1), value: {} })],
    ['copies', { a: 'x'.repeat(1000) }, (index) => ({ op: 'copy', from: '/a', path: `/b${index % 10}` })],
    ['items moved', { a: Array(20_000).fill(1) }, () => ({ op: 'add', path: '/a/0', value: 1 })],
  ])('pauses between operations: %s', (_what, document, operation) => {
    const patch = Array.from({ length: 2000 }, (_, index) => operation(index));
    const steps = applyJsonPatchInSteps(document, patch);
    let pauses = 0;
    while (steps.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan(4);
  });

  test('pauses after copying an object with very many members', () => {
    const data = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 'v']));
    const patch = Array.from({ length: 10_000 }, (_, index) => ({
      op: 'replace',
      path: `/data/k${index}`,
      value: 'w',
    }));
    const steps = applyJsonPatchInSteps({ data }, patch);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThan(4);
    expect(step.value).toMatchObject({ data: { k0: 'w', k9999: 'w', k10000: 'v' } });
    expect(data['k0']).toBe('v');
  });

  test('a pointer that is deeper than any document names no member', () => {
    const add = (path: string) => applyJsonPatch({}, [{ op: 'add', path, value: 1 }]);
    expect(add('/a')).toEqual({ a: 1 });
    expect(() => add('/a'.repeat(1_000_000))).toThrow('the server rejected our request');
  });

  test('the size added by copies is bounded', () => {
    const doubling = Array.from({ length: 40 }, (_, index) => ({
      op: 'copy',
      from: '/root',
      path: `/root/c${index}`,
    }));
    expect(failure(() => applyJsonPatch({ root: { text: 'x'.repeat(1000) } }, doubling))).toMatchObject({
      code: 413,
    });
  });
});
