import { describe, expect, it } from 'vitest';
import { eventStrategy } from '../../../src/kinds/core/event.ts';
import { builtinResource, strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('events.k8s.io');

const newStrategy = strategies.events!;
const { fieldSelectors } = builtinResource('events.k8s.io', 'events');
const context = contextOf({ group: 'events.k8s.io', resource: 'events' });
const complete = {
  eventTime: '2020-01-01T00:00:00.123456Z',
  reportingController: 'example.test/c',
  reportingInstance: 'i',
  action: 'a',
  reason: 'r',
  type: 'Normal',
  regarding: { namespace: 'n', kind: 'Pod', name: 'p' },
};

it('only events.k8s.io needs a subdomain as name', () => {
  expect(eventStrategy(1).metadata!.validateName!('-A b', false)).toEqual([]);
  expect(eventStrategy(1).metadata!.validateName!('a/b', false)).toEqual(["may not contain '/'"]);
  expect(newStrategy.metadata!.validateName!('-A b', false)).toHaveLength(1);
});

describe('events.k8s.io', () => {
  it('stores events as core v1 and reads them back', () => {
    const { object, errors } = created(newStrategy, { ...complete, note: 'text' }, context);
    expect(errors).toEqual([]);
    expect(object).toMatchObject({
      apiVersion: 'v1',
      involvedObject: complete.regarding,
      message: 'text',
      reportingComponent: 'example.test/c',
    });
    expect(newStrategy.conversions!.v1!.fromStorage(object)).toMatchObject({
      ...complete,
      note: 'text',
      apiVersion: 'events.k8s.io/v1',
    });
    expect(fieldSelectors['regarding.name']!(object)).toBe('p');
    expect(fieldSelectors.reportingController!(object)).toBe('example.test/c');
  });

  it.each([
    [{ eventTime: undefined }, ['eventTime: Required value']],
    [{ type: 'Other' }, ['type: Invalid value: "": has invalid value: Other']],
    [{ action: undefined, reason: undefined }, ['action: Required value', 'reason: Required value']],
    [{ note: 'n'.repeat(1025) }, ['message: Invalid value: "": can have at most 1024 characters']],
    [
      { series: { count: 1 } },
      ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
    ],
    [
      { deprecatedCount: 1, deprecatedSource: { component: 'c' } },
      ['count: Invalid value: "": needs to be unset', 'source: Invalid value: "": needs to be unset'],
    ],
    [
      { regarding: { kind: 'Node', name: 'n' } },
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
  ])('validates %j', (change, expected) =>
    expect(errorsOf(newStrategy, { ...complete, ...change }, context)).toEqual(expected),
  );

  it('validates metadata after the general rules, and before its own', () => {
    const metadata = { name: 'x', namespace: 'n', finalizers: ['q q'] };
    const wrong = { ...complete, metadata, type: 'Other', note: 'n'.repeat(1025) };
    const paths = (errors: readonly string[]) => errors.map((error) => error.slice(0, error.indexOf(': ')));
    const expected = ['message', 'metadata.finalizers', 'metadata.finalizers[0]', 'type'];
    expect(paths(errorsOf(newStrategy, wrong, context))).toEqual(expected);
    const { object: old } = created(newStrategy, complete, context);
    const labels = { 'a b': 'x' };
    const { errors } = updated(
      newStrategy,
      { ...complete, action: '', metadata: { ...metadata, finalizers: undefined, labels } },
      old,
      context,
    );
    expect(paths(errors)).toEqual(['action', 'metadata.labels', 'action']);
  });

  it('allows changes of the series only', () => {
    const { object: old } = created(newStrategy, complete, context);
    expect(
      updated(
        newStrategy,
        { ...complete, series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' } },
        old,
        context,
      ).errors,
    ).toEqual([]);
    expect(
      updated(
        newStrategy,
        { ...complete, reason: 'other', eventTime: '2021-01-01T00:00:00.000000Z', deprecatedSource: {} },
        old,
        context,
      ).errors,
    ).toEqual([
      'reason: Invalid value: "other": field is immutable',
      'reason: Invalid value: "other": field is immutable',
      'eventTime: Invalid value: 2021-01-01 00:00:00 +0000 UTC: field is immutable',
    ]);
  });
});

describe('core events', () => {
  const strategy = eventStrategy(60);
  it.each([
    [{ involvedObject: { namespace: 'n' } }, []],
    [
      { involvedObject: { namespace: 'other' } },
      ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
    ],
    [{ involvedObject: {} }, ['involvedObject.namespace: Invalid value: "": does not match event.namespace']],
    [{ involvedObject: {}, metadata: { name: 'x', namespace: 'default' } }, []],
  ])('validates %j', (object, expected) => expect(errorsOf(strategy, object)).toEqual(expected));

  it('expires events and selects them by source', () => {
    expect(strategy.timeToLiveSeconds!({})).toBe(60);
    expect(newStrategy.timeToLiveSeconds!({})).toBe(3600);
    const { source } = builtinResource('', 'events').fieldSelectors;
    expect([
      source!({ source: { component: 'c' } }),
      source!({ source: {}, reportingComponent: 'r' }),
      source!({}),
    ]).toEqual(['c', 'r', '']);
  });
});
