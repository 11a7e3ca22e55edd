import { expect, it } from 'vitest';
import {
  encodeObject,
  type Plain,
  parseStored,
  parsingStored,
} from '../../../../src/extensions/custom-resources/objects/object-json.ts';
import { encodingObject } from '../../../../src/extensions/custom-resources/objects/object-steps.ts';
import { type KubernetesObject, RawJson } from '../../../../src/model/object.ts';
import { Structure } from '../../../../src/schema/structural/index.ts';
import { runNow } from '../../../../src/steps/run.ts';
import type { Steps } from '../../../../src/steps/steps.ts';

const TYPE = { apiVersion: 'example.com/v1', kind: 'Thing' };
const PARTS = 30_000;
const members = (count: number): Plain =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${(index * 7919) % count}`, index]));

const object = (count: number): KubernetesObject => ({
  ...TYPE,
  metadata: {
    name: 'a',
    resourceVersion: '7',
    creationTimestamp: null as never,
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: TYPE.apiVersion,
        time: '2026-01-02T03:04:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: new RawJson(JSON.stringify(members(count))),
        subresource: 'status',
      },
      { manager: 'n', operation: 'Update' },
    ],
  },
  spec: { members: members(count), list: Array.from({ length: count }, (_, index) => `a${index}`) },
});

it.each([3, PARTS])('an object of %d parts has the same form in steps', (count) => {
  const expected = encodeObject(object(count), TYPE);
  expect(runNow(encodingObject(object(count), TYPE)).equals(expected)).toBe(true);
  expect(runNow(parsingStored(expected))).toEqual(parseStored(expected));
});

it.each<[string, () => Steps<unknown>]>([
  ['encoding', () => encodingObject(object(PARTS), TYPE)],
  ['decoding', () => parsingStored(encodeObject(object(PARTS), TYPE))],
])('%s pauses after every few thousand parts', (_name, begin) => {
  const steps = begin();
  let yields = 0;
  while (steps.next().done !== true) yields += 1;
  expect(yields).toBeGreaterThan((3 * PARTS) / 8192);
});

it('a large object is complete where that is asked for', () => {
  const structure = new Structure({ type: 'object', preservesUnknownFields: true });
  expect(structure.isComplete(members(PARTS))).toBe(false);
  expect(structure.isComplete(members(PARTS), { isLarge: true })).toBe(true);
});
