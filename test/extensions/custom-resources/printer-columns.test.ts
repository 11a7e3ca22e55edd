import { describe, expect, it } from 'vitest';
import { tableOfColumns } from '../../../src/extensions/custom-resources/printer-columns.ts';
import { plainTableJson } from '../../../src/handlers/response/table-view.ts';
import { AgeCell } from '../../../src/kinds/table.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { schemeOf } from '../../../src/model/scheme.ts';

const NOW = Date.parse('2020-01-02T03:05:05Z');
const TYPES = ['string', 'integer', 'number', 'boolean', 'date'];
const types = tableOfColumns(TYPES.map((type) => ({ name: type, type, jsonPath: '.spec.v' })));
const shown = (cells: readonly unknown[]) =>
  cells.map((cell) => (cell instanceof AgeCell ? cell.text(NOW) : cell));
const cellsOf = (v: unknown) => shown(types.cells({ metadata: { name: 'x' }, spec: { v } })).slice(1);

/** Integer cells of numbers beyond 64 bits. */
const LOWEST = -(2n ** 63n);

describe('printer columns', () => {
  it.each([
    ['text', ['text', null, null, null, '<invalid>']],
    ['5', ['5', null, null, null, '<invalid>']],
    [5, ['5', 5, 5, null, null]],
    [-7, ['-7', -7, -7, null, null]],
    [1.5, ['1.5', 1, 1.5, null, null]],
    [-1.5, ['-1.5', -1, -1.5, null, null]],
    [0.00001, ['1e-05', 0, 0.00001, null, null]],
    [1e21, ['1e+21', LOWEST, 1e21, null, null]],
    [-1e300, ['-1e+300', LOWEST, -1e300, null, null]],
    [2 ** 63, ['9.223372036854776e+18', LOWEST, 2 ** 63, null, null]],
    [12345678901234567890n, ['1.2345678901234567e+19', LOWEST, 12345678901234567000, null, null]],
    [1e18, ['1000000000000000000', 1e18, 1e18, null, null]],
    [999999.5, ['999999.5', 999999, 999999.5, null, null]],
    [-1234567.5, ['-1.2345675e+06', -1234567, -1234567.5, null, null]],
    [2n ** 63n - 1n, ['9223372036854775807', 2n ** 63n - 1n, 2 ** 63, null, null]],
    [123456789012, ['123456789012', 123456789012, 123456789012, null, null]],
    [9007199254740993n, ['9007199254740993', 9007199254740993n, 9007199254740992, null, null]],
    [true, ['true', null, null, true, null]],
    [
      [1, 'a'],
      ['[1,"a"]', null, null, null, null],
    ],
    [{ b: '<', a: { b: [1, { c: 2 }] } }, ['{"a":{"b":[1,{"c":2}]},"b":"\\u003c"}', null, null, null, null]],
    ['', ['', null, null, null, '<unknown>']],
    [null, ['<no value>', null, null, null, null]],
    [undefined, [null, null, null, null, null]],
    ['2020-01-02T03:04:05Z', ['2020-01-02T03:04:05Z', null, null, null, '60s']],
    ['2020-01-02T04:04:05+01:00', ['2020-01-02T04:04:05+01:00', null, null, null, '60s']],
    ['2020-01-02', ['2020-01-02', null, null, null, '<invalid>']],
    ['2999-01-01T00:00:00Z', ['2999-01-01T00:00:00Z', null, null, null, '<invalid>']],
  ])('show %o in each type', (value, cells) => {
    expect(cellsOf(value)).toEqual(cells);
  });

  it('show exact integers in a table', () => {
    const objects = [{ metadata: { name: 'x' }, spec: { v: 9007199254740993n } }];
    const form = {
      types: schemeOf().types,
      metaVersion: 'v1',
      includeObject: 'None',
      objectJson: () => '',
      now: NOW,
    } as const;
    expect(plainTableJson(types, objects, form)).toContain(
      '"cells":["x","9007199254740993",9007199254740993,9007199254740992,null,null]',
    );
  });

  it('read the metadata of an object', () => {
    const table = tableOfColumns(
      [
        ['string', '.metadata.labels'],
        ['string', '.metadata.labels.a\\.b/c'],
        ['integer', '.metadata.generation'],
        ['string', '.metadata.ownerReferences[0].name'],
        ['date', '.metadata.deletionTimestamp'],
        ['string', '.kind'],
      ].map(([type, jsonPath]) => ({ name: 'n', type: type!, jsonPath: jsonPath! })),
    );
    const object: KubernetesObject = {
      kind: 'Co',
      metadata: {
        name: 'full',
        generation: 1,
        labels: { 'a.b/c': 'd' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', uid: 'u' }],
      },
    };
    expect(shown(table.cells(object))).toEqual(['full', '{"a.b/c":"d"}', 'd', 1, 'boss', null, 'Co']);
    expect(table.cells({})).toEqual(['', null, null, null, null, null, null]);
  });

  it('have a description that names the path, and no format and priority unless declared', () => {
    const { columns } = tableOfColumns([
      { name: 'Str', type: 'string', jsonPath: '.spec.s', description: 'a string', priority: 1 },
      { name: 'Int', type: 'integer', jsonPath: '.spec.i', format: 'int32' },
    ]);
    expect(columns.slice(1)).toEqual([
      { name: 'Str', type: 'string', format: '', description: 'a string', priority: 1 },
      {
        name: 'Int',
        type: 'integer',
        format: 'int32',
        description: 'Custom resource definition column (in JSONPath format): .spec.i',
        priority: 0,
      },
    ]);
    expect(columns[0]).toMatchObject({ name: 'Name', type: 'string', format: 'name', priority: 0 });
  });

  it.each([[undefined], [[]]])('are name and age by default', (declared) => {
    const { columns, cells } = tableOfColumns(declared);
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
    const object = { metadata: { name: 'p', creationTimestamp: '2020-01-02T03:04:05Z' } };
    expect(shown(cells(object))).toEqual(['p', '60s']);
  });

  it('end before the first column whose path has a syntax error', () => {
    const columns = ['.a', '.b[', '.c'].map((jsonPath) => ({ name: jsonPath, type: 'string', jsonPath }));
    expect(tableOfColumns(columns).columns.map(({ name }) => name)).toEqual(['Name', '.a']);
    expect(tableOfColumns(columns).cells({ a: 'x', c: 'y' })).toEqual(['', 'x']);
  });

  it('leave the cells empty that would cost too much', () => {
    const v = Array.from({ length: 60_000 }, (_, index) => ({ index }));
    const table = tableOfColumns(
      ['..index', '.spec.v[0].index', '.kind'].map((jsonPath) => ({ name: 'n', type: 'string', jsonPath })),
    );
    expect(table.cells({ kind: 'Co', spec: { v } })).toEqual(['', null, null, 'Co']);
  });
});
