/**
 * Joins messages in the form of Kubernetes' aggregates: the message itself, or `[first, second]`. Duplicates
 * are dropped.
 */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`;
}
