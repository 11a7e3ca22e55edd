/**
 * Whether two values as the store has them mean the same: absent members, null and empty lists are equal. An empty
 * object is not absent: `affinity: {}` differs from none, as in the reference, and the store has no empty maps. Depth
 * is bounded by codecs.
 */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  return isSameObject(one as Members, other as Members);
}

type Members = Readonly<Record<string, unknown>>;

function isSameObject(one: Members, other: Members): boolean {
  const own = (object: Members, name: string): unknown =>
    Object.hasOwn(object, name) ? object[name] : undefined;
  return (
    Object.keys(one).every((name) => isSame(one[name], own(other, name))) &&
    Object.keys(other).every((name) => Object.hasOwn(one, name) || isEmpty(other[name]))
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** The counts that are not 0: the API leaves out those that are. */
export const nonZero = <Counts extends Readonly<Record<string, number>>>(counts: Counts): Partial<Counts> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<Counts>;
