import { expect, it } from 'vitest';
import { storageVersionMigrationStrategy } from '../../../src/kinds/storagemigration/storage-version-migration.ts';
import type { StrategyContext } from '../../../src/kinds/strategy.ts';
import { isAlive, type Life, type Minor } from '../../../src/model/life.ts';
import { loadScheme } from '../../../src/model/scheme.ts';
import { formatFieldError } from '../../../src/status/field-error.ts';

await loadScheme('1.37');

const { validate, validateUpdate, validateSubresource } = storageVersionMigrationStrategy;
const context = (minor: Minor) => ({ has: (life: Life) => isAlive(life, minor) }) as StrategyContext;
const migration = (resource: object, status: object = {}) => ({ spec: { resource }, status });
const isTrue = (type: string) => ({
  type,
  status: 'True',
  reason: 'R',
  lastTransitionTime: '2020-01-01T00:00:00Z',
});

it('requires the name of a resource, since 1.35 of the form of names', () => {
  const texts = (resource: object, minor: Minor) =>
    validate!(migration(resource) as never, context(minor)).map(formatFieldError);
  expect(texts({}, '1.37')).toEqual([
    'spec.resource.resource: Required value: resource is required to be set',
  ]);
  expect(texts({ resource: 'Pods' }, '1.37')[0]).toMatch(/^spec.resource.resource: Invalid value: "Pods"/);
  expect(texts({ resource: 'pods', group: 'A' }, '1.35')[0]).toMatch(/^spec.resource.group: Invalid value/);
  expect(texts({ resource: 'Pods', version: 'v1' }, '1.34')).toEqual([]);
});

it('keeps what is migrated', () => {
  const [error] = validateUpdate!(
    migration({ resource: 'pods' }) as never,
    migration({ resource: 'nodes' }) as never,
    context('1.37'),
  );
  expect(error).toMatchObject({ type: 'FieldValueInvalid', field: 'spec' });
});

it.each([
  [{ resourceVersion: '012' }, '1.37', 'status.resourceVersion'],
  [{ resourceVersion: '12' }, '1.37', undefined],
  [{}, '1.37', undefined],
  [{}, '1.35', 'status.resourceVersion'],
  [{ conditions: [isTrue('Succeeded'), isTrue('Failed')] }, '1.37', 'status.conditions'],
  [{ conditions: [isTrue('Running'), isTrue('Failed')] }, '1.37', undefined],
  [{ resourceVersion: '1', conditions: [isTrue('Running'), isTrue('Failed')] }, '1.35', 'status.conditions'],
] as const)('validates the status %j in %s', (status, minor, field) => {
  const resource = { resource: 'pods' };
  const errors = validateSubresource!['status']!(
    migration(resource, status) as never,
    migration(resource) as never,
    context(minor),
  );
  expect(errors.map((error) => error.field)).toEqual(field === undefined ? [] : [field]);
});
