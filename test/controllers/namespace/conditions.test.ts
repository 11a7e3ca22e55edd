import { describe, expect, it } from 'vitest';
import { deletionConditions, mergeConditions } from '../../../src/controllers/namespace/conditions.ts';

const empty = { remaining: new Map(), finalizers: new Map(), failures: [], undiscovered: [] };
const texts = (emptying: Parameters<typeof deletionConditions>[0]) =>
  Object.fromEntries(
    deletionConditions(emptying).map(({ type, status, reason, message }) => [
      type,
      [status, reason, message],
    ]),
  );

describe('conditions of a terminating namespace', () => {
  it('names the extension servers whose resources are not known', () => {
    expect(texts({ ...empty, undiscovered: ['a.test/v1', 'b.test/v2'] })).toMatchObject({
      NamespaceDeletionDiscoveryFailure: [
        'True',
        'DiscoveryFailed',
        'Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: a.test/v1: stale GroupVersion discovery: a.test/v1, b.test/v2: stale GroupVersion discovery: b.test/v2',
      ],
    });
  });

  it('reports that no content remains', () => {
    expect(texts(empty)).toMatchObject({
      NamespaceDeletionContentFailure: [
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      NamespaceContentRemaining: ['False', 'ContentRemoved', 'All content successfully removed'],
      NamespaceFinalizersRemaining: [
        'False',
        'ContentHasNoFinalizers',
        'All content-preserving finalizers finished',
      ],
    });
  });

  it('reports remaining content sorted by name, with errors', () => {
    const left = {
      remaining: new Map([
        ['pods.', 2],
        ['deployments.apps', 1],
      ]),
      finalizers: new Map([['x.test/keep', 3]]),
      failures: ['secrets is forbidden'],
      undiscovered: [],
    };
    expect(texts(left)).toMatchObject({
      NamespaceDeletionContentFailure: [
        'True',
        'ContentDeletionFailed',
        'Failed to delete all resource types, 1 remaining: secrets is forbidden',
      ],
      NamespaceContentRemaining: [
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2 resource instances',
      ],
      NamespaceFinalizersRemaining: [
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: x.test/keep in 3 resource instances',
      ],
    });
  });

  it('updates changed conditions only and keeps foreign ones', () => {
    const other = { type: 'Other', status: 'True' };
    const first = mergeConditions([other], deletionConditions(empty), 'then')!;
    expect(first[0]).toBe(other);
    expect(mergeConditions(first, deletionConditions(empty), 'now')).toBeUndefined();
    const second = mergeConditions(
      first,
      deletionConditions({ ...empty, remaining: new Map([['pods.', 1]]) }),
      'now',
    )!;
    expect(
      second.filter(({ lastTransitionTime }) => lastTransitionTime === 'now').map(({ type }) => type),
    ).toEqual(['NamespaceContentRemaining']);
  });
});
