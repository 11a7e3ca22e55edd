import { expect, it } from 'vitest';
import { compilingChecker } from '../../../src/kinds/apiextensions/schema-checker.ts';
import { convertingSchema } from '../../../src/kinds/apiextensions/value-schema.ts';
import { isAlive, type Life, type Minor } from '../../../src/model/life.ts';
import { Structure } from '../../../src/schema/structural/index.ts';
import { runNow } from '../../../src/steps/run.ts';

const hasIn = (minor: Minor) => (life: Life) => isAlive(life, minor);

function texts(schema: object, value: unknown, minor: Minor): string[] {
  const declared = { type: 'object', properties: { n: schema } };
  const structure = new Structure(runNow(convertingSchema(declared, hasIn(minor))));
  return runNow(structure.validate({ n: value })).map(({ field, body }) => `${field}: ${body}`);
}

const checked = (type: string) => `<nil>: Invalid value: "": Checked value must be of type ${type} in n`;

it.each([
  [{ type: 'integer' }, 1.5, [checked('integer (default format)')]],
  [{ type: 'integer', format: 'int32' }, 2 ** 31, [checked('integer with format int32')]],
  [{ type: 'integer', format: 'int32' }, -(2 ** 31), []],
  [{ type: 'integer', format: 'int64' }, 2n ** 63n, [checked('integer with format int64')]],
  [{ type: 'integer', format: 'other' }, 2 ** 40, []],
  [{ type: 'number', format: 'float' }, 3.5e38, [checked('number with format float')]],
  [{ type: 'number', format: 'double' }, 3.5e38, []],
  [{ type: 'number', format: 'int32' }, 2 ** 40, []],
])('compares numbers of %j with the range of the type since 1.37: %s', (schema, value, wanted) => {
  expect(texts(schema, value, '1.37')).toEqual(expect.arrayContaining(wanted));
  expect(texts(schema, value, '1.37').filter((text) => text.includes('Checked'))).toEqual(wanted);
  expect(texts(schema, value, '1.36').filter((text) => text.includes('Checked'))).toEqual([]);
});

it('reports bounds beyond the type, and compares without it', () =>
  expect(texts({ type: 'integer', maximum: 1e19 }, 5, '1.37')).toEqual([
    '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in n',
  ]));

it('checks formats of texts, since 1.36 for texts only', () => {
  expect(texts({ type: 'string', format: 'k8s-short-name' }, 'A B', '1.35')).toHaveLength(1);
  expect(texts({ type: 'string', format: 'k8s-short-name' }, 'A B', '1.34')).toEqual([]);
  expect(texts({ type: 'integer', format: 'date' }, 1.5, '1.35')[0]).toContain('must be of type date');
  expect(texts({ type: 'integer', format: 'date' }, 1.5, '1.36')[0]).toContain('must be of type integer');
  expect(texts({ type: 'integer', format: 'int32' }, 1.5, '1.36')[0]).toContain('must be of type int32');
});

it('validates defaults by the rules of the release', async () => {
  const root = { type: 'object', properties: { n: { type: 'integer', default: 1.5 } } };
  const errorsIn = async (minor: Minor) => {
    const checker = compilingChecker(hasIn(minor));
    await checker.load?.();
    return checker.defaults(root as never, 'schema').length;
  };
  expect([await errorsIn('1.36'), await errorsIn('1.37')]).toEqual([1, 2]);
});
