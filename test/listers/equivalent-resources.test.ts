import { expect, it } from 'vitest';
import { equivalentResources } from '../../src/listers/equivalent-resources.ts';
import { ResourceSet } from '../../src/resources/resource-set.ts';
import { builtinResources } from '../support/builtin-kinds.ts';

it('finds the versions and groups that serve the same objects', () => {
  const set = new ResourceSet(builtinResources());
  const equivalents = equivalentResources(set);
  const names = (group: string, version: string, resource: string, subresource = '') =>
    equivalents
      .of({ group, version, resource }, subresource)
      .map(({ resource: found, kind }) => `${found.group}/${found.version} ${kind.version} ${kind.kind}`);
  expect(names('', 'v1', 'events')).toEqual(['/v1 v1 Event', 'events.k8s.io/v1 v1 Event']);
  const scalers = names('autoscaling', 'v1', 'horizontalpodautoscalers');
  expect(scalers).toContain('autoscaling/v2 v2 HorizontalPodAutoscaler');
  expect(scalers).toHaveLength(2);
  expect(names('apps', 'v1', 'deployments', 'scale')).toEqual(['apps/v1 v1 Scale']);
  expect(names('none', 'v1', 'things')).toEqual([]);
  expect(equivalents.versionsOf('autoscaling', 'horizontalpodautoscalers').toSorted()).toEqual(['v1', 'v2']);

  const row = set.find('autoscaling', 'v2', 'horizontalpodautoscalers')!;
  set.change({ remove: [row] });
  expect(names('autoscaling', 'v1', 'horizontalpodautoscalers')).toHaveLength(1);
});
