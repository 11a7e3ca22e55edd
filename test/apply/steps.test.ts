import { describe, expect, it } from 'vitest';
import { compare } from '../../src/apply/compare.ts';
import { fieldsOf } from '../../src/apply/configuration.ts';
import { parseFieldsV1, serializeFieldsV1 } from '../../src/apply/fields-v1.ts';
import { FieldSet, messageShape } from '../../src/apply/index.ts';
import { managersOf } from '../../src/apply/managed.ts';
import { mergeConfiguration, removeFields } from '../../src/apply/merge.ts';
import { toPlain } from '../../src/codec/typed.ts';
import { RawJson } from '../../src/model/object.ts';
import { runNow } from '../../src/steps/run.ts';
import { setStepSizes, stepSizes } from '../../src/steps/sizes.ts';
import type { Steps } from '../../src/steps/steps.ts';
import { hostileBodies } from '../support/hostile-bodies.ts';
import { kindType } from '../support/types.ts';

const PARTS = 40;
const pod = kindType('', 'v1', 'Pod')!;
const shape = messageShape(pod);
const bodies = [...hostileBodies(pod)];

function counted<Result>(steps: Steps<Result>): { result: Result; yields: number } {
  for (let yields = 0; ; yields += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, yields };
  }
}

function inStepsOf<Result>(nodes: number, start: () => Steps<Result>): { result: Result; yields: number } {
  const restore = setStepSizes({ nodes });
  try {
    return counted(start());
  } finally {
    restore();
  }
}

describe('ownership in steps', () => {
  it('compares with the same result in steps of any length, in both directions', () => {
    for (const { make, path, parts } of bodies.filter(({ parts }) => parts !== 'text')) {
      const [one, other] = [make(PARTS), make(PARTS / 2)];
      const expected = runNow(compare(shape, one, other, 'memory'));
      const { result, yields } = inStepsOf(3, () => compare(shape, one, other, 'memory'));
      for (const name of ['added', 'modified', 'removed'] as const)
        expect(runNow(serializeFieldsV1(result[name])), `${path} ${parts} ${name}`).toBe(
          runNow(serializeFieldsV1(expected[name])),
        );
      if (!expected.removed.isEmpty && parts === 'different') expect(yields, path).toBeGreaterThan(1);
    }
  });

  it('collects the fields of a configuration with a yield after every few parts', () => {
    const body = bodies.find(({ path, parts }) => path === 'spec.volumes' && parts === 'different')!;
    const plain = toPlain(pod, body.make(PARTS)) as object;
    const { result, yields } = inStepsOf(5, () => fieldsOf(shape, plain, true));
    expect(result.equals(counted(fieldsOf(shape, plain, true)).result)).toBe(true);
    expect(yields).toBeGreaterThan(PARTS / 5);
  });

  it('writes a large set with yields and the same text', () => {
    const children = new Map(
      Array.from({ length: 20_000 }, (_, index) => [`v:"${(index * 7919) % 20_000}"`, FieldSet.leaf]),
    );
    const { result, yields } = counted(serializeFieldsV1(new FieldSet(false, children)));
    expect(yields).toBeGreaterThan(4);
    const names = Object.keys(JSON.parse(result) as object);
    expect(names).toHaveLength(20_000);
    expect(names).toEqual(
      [...names].sort((a, b) => (JSON.parse(a.slice(2)) < JSON.parse(b.slice(2)) ? -1 : 1)),
    );
  });

  it('reads a large set with yields, and refuses an invalid one', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `"v:\\"a${index}\\"":{"f:b":{}}`);
    const { result, yields } = counted(parseFieldsV1(`{${names.join(',')}}`));
    expect(result?.children.size).toBe(20_000);
    expect(yields).toBeGreaterThan(4);
    for (const invalid of ['"x":{}', '"f:a":1', '"f:a":'])
      expect(counted(parseFieldsV1(`{${names.join(',')},${invalid}}`)).result).toBeUndefined();
  });

  it('reads many small entries with yields', () => {
    const managedFields = Array.from({ length: 1000 }, (_, index) => ({
      manager: `m${index}`,
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: new RawJson(`{"f:data":{"f:${'k'.repeat(300)}${index}":{}}}`),
    }));
    const { result, yields } = counted(managersOf({ metadata: { managedFields } }));
    expect(result.size).toBe(1000);
    expect(yields).toBeGreaterThan(4);
  });

  it('compares, merges and removes the items of long lists with yields', () => {
    const list = (count: number, from = 0) => ({
      metadata: { finalizers: Array.from({ length: count }, (_, index) => `a/${index + from}`) },
    });
    const [live, applied] = [list(10_000), list(10_000, 5000)];
    const compared = inStepsOf(500, () => compare(shape, live, applied, 'plain'));
    expect(
      compared.result.added.children.get('f:metadata')?.children.get('f:finalizers')?.children.size,
    ).toBe(5000);
    // Both lists are read, then the items of both are compared.
    expect(compared.yields).toBeGreaterThan((4 * 10_000) / 500);
    const merged = counted(mergeConfiguration(shape, live, applied));
    expect(merged.result).toEqual(list(15_000));
    expect(merged.yields).toBeGreaterThan(6);
    const fields = counted(fieldsOf(shape, applied, true)).result;
    const removed = counted(removeFields(shape, live, fields));
    expect(removed.result).toEqual(list(5000));
    expect(removed.yields).toBe(Math.floor(10_000 / stepSizes.nodes));
  });
});
