import fc from 'fast-check';
import { compare } from '../../../src/apply/compare.ts';
import { checkShape, fieldsOf } from '../../../src/apply/configuration.ts';
import type { FieldSet } from '../../../src/apply/field-set.ts';
import { FieldSetBuilder } from '../../../src/apply/field-set-builder.ts';
import { parseFieldsV1, serializeFieldsV1 } from '../../../src/apply/fields-v1.ts';
import { readFieldsV1 } from '../../../src/apply/fields-v1-reader.ts';
import {
  FieldManager,
  FieldSet as Fields,
  messageShape,
  scaledOwners,
  scaleOwners,
} from '../../../src/apply/index.ts';
import { LAST_APPLIED } from '../../../src/apply/last-applied.ts';
import { decodeManagers, encodeManagers, managersOf } from '../../../src/apply/managed.ts';
import { mergeConfiguration, removeFields } from '../../../src/apply/merge.ts';
import { mergeWithoutOwners } from '../../../src/apply/merge-patch.ts';
import { fromPlain, toPlain } from '../../../src/codec/typed.ts';
import { type KubernetesObject, type ManagedFieldsEntry, RawJson } from '../../../src/model/object.ts';
import { runNow } from '../../../src/steps/run.ts';
import type { Steps } from '../../../src/steps/steps.ts';
import { plainObjects } from '../../support/plain-objects.ts';
import { kindType } from '../../support/types.ts';
import { paceCase } from './pace-case.ts';

const type = kindType('apps', 'v1', 'Deployment')!;
const shape = messageShape(type);
const TYPE_META = { apiVersion: 'apps/v1', kind: 'Deployment' };
const plain = plainObjects(type, 6).map((object) => ({
  ...object,
  ...TYPE_META,
  metadata: { name: 'a', labels: { a: '1' } },
}));
const pairs = fc.tuple(plain, plain);
const typed = (object: object): KubernetesObject => fromPlain(type, object).value;

const texts = fc.oneof(
  pairs.map(([one]) => runNow(serializeFieldsV1(runNow(fieldsOf(shape, one, false))))),
  fc.constantFrom(
    '{"f:a":1}',
    '{"x":{}}',
    '{"f:a":',
    '{"k:{\\"b\\":1,\\"a\\":[]}":{".":{}},"v:-0":{},"i:1":{}}',
  ),
);
const entries = fc.array(texts, { maxLength: 4 }).map((all) =>
  all.map(
    (text, index): ManagedFieldsEntry => ({
      manager: `m${index}`,
      operation: index % 2 === 0 ? 'Update' : 'Apply',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: new RawJson(text),
    }),
  ),
);
/** What was parsed before is cached by its text. */
const uncached = (all: readonly ManagedFieldsEntry[], run: number): ManagedFieldsEntry[] =>
  all.map((entry) => ({ ...entry, fieldsV1: new RawJson(entry.fieldsV1!.text + ' '.repeat(run)) }));

function* textOf(fields: Steps<FieldSet | undefined>): Steps<string | undefined> {
  const set = yield* fields;
  return set && runNow(serializeFieldsV1(set));
}

const fieldManager = new FieldManager({
  apiVersion: 'apps/v1',
  subresource: '',
  ignored: Fields.empty,
  shape: () => shape,
  convert: (object) => object,
  toPlain: (object) => toPlain(type, object, TYPE_META) as object,
  fromPlain: (object) => typed(object),
  now: () => '2024-01-01T00:00:00Z',
});
const owned = (object: object, all: readonly ManagedFieldsEntry[]): KubernetesObject => {
  const live = typed(object);
  return {
    ...live,
    metadata: {
      ...live.metadata,
      annotations: { [LAST_APPLIED]: JSON.stringify(object) },
      managedFields: [...all],
    },
  };
};
const kind = {
  apiVersion: 'apps/v1',
  replicas: ['spec', 'replicas'],
  replicasIn: () => ['spec', 'replicas'],
};
const elements = fc.array(
  fc.oneof(
    fc.string({ maxLength: 3 }).map((name) => `f:${name}`),
    fc.jsonValue({ maxDepth: 1 }).map((value) => `v:${JSON.stringify(value)}`),
    fc.nat().map((value) => `k:{"a":${value}}`),
  ),
);

export const APPLY_CASES = [
  paceCase('apply/compare.ts compare', pairs, function* ([before, after]) {
    const { added, modified, removed } = yield* compare(shape, before, after, 'plain');
    return [added, modified, removed].map((set) => runNow(serializeFieldsV1(set)));
  }),
  paceCase('apply/compare.ts compare', pairs, function* ([before, after]) {
    const { added, modified, removed } = yield* compare(shape, typed(before), typed(after), 'memory');
    return [added, modified, removed].map((set) => runNow(serializeFieldsV1(set)));
  }),
  paceCase(
    ['apply/configuration.ts fieldsOf', 'apply/field-set-builder.ts FieldSetBuilder.build'],
    fc.tuple(plain, fc.boolean(), fc.constantFrom({}, { spec: [] }, { other: 1 })),
    ([object, strict, wrong]) => textOf(fieldsOf(shape, { ...object, ...wrong }, strict)),
  ),
  paceCase(
    'apply/configuration.ts checkShape',
    fc.tuple(plain, fc.constantFrom({}, { spec: [] }, { other: 1 })),
    ([object, wrong]) => checkShape(shape, { ...object, ...wrong }),
  ),
  paceCase('apply/fields-v1.ts parseFieldsV1', texts, (text, run) =>
    textOf(parseFieldsV1(text + ' '.repeat(run))),
  ),
  paceCase('apply/fields-v1-reader.ts readFieldsV1', texts, (text) => textOf(readFieldsV1(text))),
  paceCase(
    ['apply/fields-v1.ts serializeFieldsV1', 'apply/field-set.ts FieldSet.sortedElements'],
    elements,
    (all) => {
      const builder = new FieldSetBuilder();
      for (const element of all) builder.add(['f:a', element, ...all.slice(0, 2)]);
      return serializeFieldsV1(runNow(builder.build()));
    },
  ),
  paceCase(
    ['apply/managed.ts decodeManagers', 'apply/managed.ts encodeManagers'],
    entries,
    function* (all, run) {
      const managers = yield* decodeManagers(uncached(all, run));
      return managers && (yield* encodeManagers(managers));
    },
  ),
  paceCase('apply/managed.ts managersOf', entries, function* (all, run) {
    return yield* encodeManagers(yield* managersOf({ metadata: { managedFields: uncached(all, run) } }));
  }),
  paceCase('apply/scale-owners.ts scaleOwners', entries, (all, run) => scaleOwners(kind, uncached(all, run))),
  paceCase('apply/scale-owners.ts scaledOwners', fc.tuple(entries, entries), ([all, ofScale], run) =>
    scaledOwners(kind, uncached(all, run), uncached(ofScale, run)),
  ),
  paceCase('apply/merge.ts mergeConfiguration', pairs, ([live, applied]) =>
    mergeConfiguration(shape, live, applied),
  ),
  paceCase('apply/merge.ts removeFields', pairs, ([object, other]) =>
    removeFields(shape, object, runNow(fieldsOf(shape, other, false))),
  ),
  paceCase('apply/merge-patch.ts mergeWithoutOwners', pairs, ([object, configuration]) =>
    mergeWithoutOwners(shape, object, configuration),
  ),
  paceCase(
    ['apply/field-manager.ts FieldManager.updated', 'apply/updater.ts recordUpdate'],
    fc.tuple(plain, plain, entries),
    ([live, object, all], run) => fieldManager.updated(owned(live, uncached(all, run)), typed(object), 'me'),
  ),
  paceCase(
    [
      'apply/field-manager.ts FieldManager.apply',
      'apply/updater.ts applyConfiguration',
      'apply/last-applied.ts lastAppliedFields',
    ],
    fc.tuple(plain, plain, entries, fc.constantFrom('kubectl', 'other'), fc.boolean()),
    ([live, object, all, name, force], run) =>
      fieldManager.apply(owned(live, uncached(all, run)), object, name, force),
  ),
];
