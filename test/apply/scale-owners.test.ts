import { expect, test } from 'vitest';
import { type ScaledKind, scaledOwners, scaleOwners } from '../../src/apply/scale-owners.ts';
import { type ManagedFieldsEntry, RawJson } from '../../src/model/object.ts';
import { runNow } from '../../src/steps/run.ts';

const PATHS: Readonly<Record<string, readonly string[]>> = {
  'g.test/v1': ['spec', 'replicas'],
  'g.test/v2': ['spec', 'count'],
  'g.test/v3': [],
};
const kind: ScaledKind = {
  apiVersion: 'g.test/v1',
  replicas: ['spec', 'replicas'],
  replicasIn: (version) => PATHS[version],
};

const entry = (manager: string, apiVersion: string, spec: object): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion,
  fieldsType: 'FieldsV1',
  fieldsV1: new RawJson(JSON.stringify({ 'f:spec': spec })),
});
const shown = (entries: readonly ManagedFieldsEntry[] = []): string[] =>
  entries.map(({ manager, apiVersion, fieldsV1 }) => `${manager} ${apiVersion} ${fieldsV1!.text}`);

test('owners of a Scale are those of the replicas, at the path of their version', () => {
  const entries = [
    entry('a', 'g.test/v1', { 'f:count': {} }),
    entry('b', 'g.test/v2', { 'f:count': {}, 'f:host': {} }),
    entry('c', 'g.test/v3', { 'f:replicas': {} }),
    entry('d', 'g.test/v4', { 'f:replicas': {} }),
  ];
  expect(shown(runNow(scaleOwners(kind, entries)))).toEqual([
    'b autoscaling/v1 {"f:spec":{"f:replicas":{}}}',
  ]);
  const scale = [entry('e', 'autoscaling/v1', { 'f:replicas': {} })];
  expect(shown(runNow(scaledOwners(kind, entries, scale)))).toEqual([
    'a g.test/v1 {"f:spec":{"f:count":{}}}',
    'b g.test/v2 {"f:spec":{"f:host":{}}}',
    'c g.test/v3 {"f:spec":{"f:replicas":{}}}',
    'e g.test/v1 {"f:spec":{"f:replicas":{}}}',
  ]);
});
