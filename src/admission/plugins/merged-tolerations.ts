import type { Toleration } from '../../model/generated/core-v1.ts';

/**
 * Merges two lists of tolerations: a toleration that another one covers is dropped; of equal ones the first
 * is kept. Linear time, since clients control the length of the lists.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const later = new Coverage();
  const isCoveredLater = all.map(() => false);
  for (const [index, toleration] of [...all.entries()].reverse()) {
    isCoveredLater[index] = later.coversOther(toleration);
    later.add(toleration);
  }
  const kept = new Coverage();
  return all.flatMap((toleration, index) => {
    if (kept.covers(toleration) || isCoveredLater[index]) return [];
    kept.add(toleration);
    return [{ ...toleration }];
  });
}

/** Whether each toleration is covered by one of `allowed`. Linear time. */
export function areCovered(tolerations: readonly Toleration[], allowed: readonly Toleration[]): boolean {
  const coverage = new Coverage();
  for (const toleration of allowed) coverage.add(toleration);
  return tolerations.every((toleration) => coverage.covers(toleration));
}

interface Cover {
  readonly identity: string;
  /** Seconds; infinite: no limit. */
  readonly limit: number;
}

const secondsOf = ({ tolerationSeconds }: Toleration): number =>
  tolerationSeconds === undefined ? Number.POSITIVE_INFINITY : Number(tolerationSeconds);

const identityOf = ({
  key = '',
  operator = '',
  value = '',
  effect = '',
  tolerationSeconds,
}: Toleration): string =>
  JSON.stringify([
    key,
    operator,
    value,
    effect,
    tolerationSeconds === undefined ? null : String(tolerationSeconds),
  ]);

/** Undefined for an unknown operator: such a toleration covers only equal ones. */
function groupOf({ key = '', operator = '', value = '', effect = '' }: Toleration): string | undefined {
  if (operator === 'Exists') return JSON.stringify([key, effect]);
  return operator === 'Equal' || operator === '' ? JSON.stringify([key, effect, value]) : undefined;
}

/** The combined coverage of several tolerations. */
class Coverage {
  readonly #identities = new Set<string>();
  /**
   * By key, effect and value: the two longest tolerations that are not equal.
   */
  readonly #groups = new Map<string, readonly Cover[]>();

  add(toleration: Toleration): void {
    const identity = identityOf(toleration);
    this.#identities.add(identity);
    const group = groupOf(toleration);
    if (group === undefined) return;
    // The seconds only apply to evictions.
    const limit = toleration.effect === 'NoExecute' ? secondsOf(toleration) : Number.POSITIVE_INFINITY;
    const others = (this.#groups.get(group) ?? []).filter((cover) => cover.identity !== identity);
    const covers = [...others, { identity, limit }].sort((a, b) =>
      a.limit === b.limit ? 0 : b.limit - a.limit,
    );
    this.#groups.set(group, covers.slice(0, 2));
  }

  /** Whether one of them covers it. */
  covers(toleration: Toleration): boolean {
    return this.#identities.has(identityOf(toleration)) || this.coversOther(toleration);
  }

  /** Whether one that is not equal to it covers it. */
  coversOther(toleration: Toleration): boolean {
    const { key = '', value = '', effect = '', operator } = toleration;
    const identity = identityOf(toleration);
    const seconds = secondsOf(toleration);
    const matches = (group: string): boolean =>
      (this.#groups.get(group) ?? []).some((cover) => cover.identity !== identity && seconds <= cover.limit);
    return [effect, ''].some(
      (wide) =>
        matches(JSON.stringify([key, wide])) ||
        // Without a key, `Exists` matches every taint.
        matches(JSON.stringify(['', wide])) ||
        (operator === 'Equal' && matches(JSON.stringify([key, wide, value]))),
    );
  }
}
