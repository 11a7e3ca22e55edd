import { expect, it } from 'vitest';
import { startCluster } from '../../src/testing/index.ts';
import { recorded } from '../support/recorded.ts';

interface Status {
  readonly metadata: { readonly name: string };
}

const byName = (items: readonly Status[]) =>
  [...items].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));

it('component statuses are those of a kube-apiserver without the other components', async () => {
  const { lists } = recorded<{ readonly lists: Record<string, { readonly items: readonly Status[] }> }>(
    'stored-registry',
  );
  await using cluster = await startCluster({ controllers: ['-*'] });
  const answer = await cluster.fetch('/api/v1/componentstatuses');
  const { items } = (await answer.json()) as { readonly items: readonly Status[] };
  expect(byName(items)).toEqual(byName(lists['/api/v1/componentstatuses']!.items));
});
