import type { TestCluster } from '../../src/testing/index.ts';

/**
 * Opens a watch and resolves with the object of the first event that satisfies `condition`.
 * @param target path of a collection, with optional selectors in its query
 * @param since delivers events after this resource version; by default the current objects
 */
export async function watchUntil<T>(
  cluster: TestCluster,
  target: string,
  condition: (object: T, type: string) => boolean,
  since = '0',
): Promise<T> {
  const ended = new AbortController();
  const query = `watch=true&resourceVersion=${since}`;
  const response = await cluster.fetch(`${target}${target.includes('?') ? '&' : '?'}${query}`, {
    signal: ended.signal,
  });
  let rest = '';
  try {
    for await (const chunk of response.body!) {
      const lines = (rest + Buffer.from(chunk).toString()).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as { type: string; object: T };
        if (condition(object, type)) return object;
      }
    }
  } finally {
    ended.abort();
  }
  throw new Error('the watch ended');
}
