import { expect, it } from 'vitest';
import {
  CustomVersion,
  compilingSchema,
} from '../../../../src/extensions/custom-resources/objects/custom-version.ts';
import { RawJson } from '../../../../src/model/object.ts';
import { schemeOf } from '../../../../src/model/scheme.ts';
import { runNow } from '../../../../src/steps/run.ts';

const versionWith = (rule: string) => {
  const declared = {
    name: 'v1',
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule }] } },
  } as never;
  const kind = { group: 'example.com', kind: 'Thing', keepsFloats: false };
  return new CustomVersion(
    declared,
    kind,
    runNow(compilingSchema(declared, schemeOf().has)),
    () => undefined,
  );
};

it('the rules of a schema are compiled once, for all requests and versions', async () => {
  const [one, other] = [versionWith('true'), versionWith('true')];
  const pending = one.rules();
  expect(pending).toBeInstanceOf(Promise);
  expect(other.rules()).toBe(pending);
  const tree = await pending;
  expect(tree?.own).toMatchObject({ rules: [expect.anything()] });
  expect(one.rules()).toBe(tree);
  expect(await versionWith('false').rules()).not.toBe(tree);
});

it('a wide schema is compiled in steps', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [
      `p${index}`,
      { type: 'object', properties: { a: { type: 'string', default: new RawJson(`"${index}"`) } } },
    ]),
  );
  const declared = { name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties } } } as never;
  const steps = compilingSchema(declared, schemeOf().has);
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses += 1;
  expect(pauses).toBeGreaterThan(10);
  const { text, structure } = step.value;
  expect(runNow(compilingSchema(declared, schemeOf().has))).toEqual({ text, structure });
  const object = { p7: {} };
  runNow(structure.setDefaults(object));
  expect(object).toEqual({ p7: { a: '7' } });
});
