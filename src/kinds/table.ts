import type { Life } from '../model/life.ts';
import type { KubernetesObject } from '../model/object.ts';

/** One column of a Table, with the releases that have it. */
export interface TableColumn extends Life {
  readonly name: string;
  /** OpenAPI type: string, integer, boolean, number, date. */
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always displayed; above: only in wide output. */
  readonly priority: number;
}

/** A cell whose text depends on the current time: the age since a timestamp. */
export class AgeCell {
  #time: number | undefined;

  /**
   * @param timestamp RFC 3339, or undefined when unknown
   * @param show formats the cell around the age
   */
  constructor(
    readonly timestamp: string | undefined,
    private readonly show?: (age: string) => string,
  ) {}

  /** @param now wall clock in milliseconds */
  text(now: number): string {
    this.#time ??= timeOf(this.timestamp);
    const age = ageSince(this.#time, now);
    return this.show === undefined ? age : this.show(age);
  }
}

export type Cell = string | number | bigint | boolean | null | AgeCell | readonly unknown[];

/** Columns and cells of a kind in the Table format. */
export interface TableDefinition {
  readonly columns: readonly TableColumn[];
  /** Returns the cells of an object in the served version, one per column. */
  cells(object: KubernetesObject): Cell[];
  /** The rows of an empty list are null instead of an empty list. */
  readonly nullWhenEmpty?: true;
  /** Compares rows where they are not sorted by name; objects are in the served version. */
  compare?(a: KubernetesObject, b: KubernetesObject): number;
  /** Returns the conditions of a row (completed pods). */
  conditions?(object: KubernetesObject): readonly object[] | undefined;
}

/** The table that a release has: without the columns of other releases and their cells. */
export function tableIn({ has }: { has(life: Life): boolean }, table: TableDefinition): TableDefinition {
  const shown = table.columns.map((column) => has(column));
  if (!shown.includes(false)) return table;
  return {
    ...table,
    columns: table.columns.filter((_, index) => shown[index]),
    cells: (object) => table.cells(object).filter((_, index) => shown[index]),
  };
}

/** The zero time of Go, 0001-01-01T00:00:00Z: an unknown time. */
const ZERO_TIME = Date.parse('0001-01-01T00:00:00Z');
/** The longest duration of Go in seconds: 64 bits of nanoseconds. */
const LONGEST_SECONDS = 9_223_372_036;

/** Formats the age of a timestamp with at most two units, like kubectl. */
export const formatAge = (timestamp: string | undefined, now: number): string =>
  ageSince(timeOf(timestamp), now);

const timeOf = (timestamp: string | undefined): number =>
  timestamp === undefined || timestamp === '' ? ZERO_TIME : Date.parse(timestamp);

const ageSince = (time: number, now: number): string =>
  time === ZERO_TIME ? '<unknown>' : formatDuration(now - time);

/**
 * Formats milliseconds as `5m12s`, `3h4m`, `2d`, …; `<invalid>` when negative by two seconds or more. No
 * duration is longer than 292 years, the most that kube-apiserver can measure.
 */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.min(Math.trunc(milliseconds / 1000), LONGEST_SECONDS);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  if (hours < 192)
    return hours % 24 === 0 ? `${Math.floor(hours / 24)}d` : `${Math.floor(hours / 24)}d${hours % 24}h`;
  if (hours < 24 * 365 * 2) return `${Math.floor(hours / 24)}d`;
  if (hours < 24 * 365 * 8) {
    const days = Math.floor(hours / 24) % 365;
    return days === 0 ? `${Math.floor(hours / 24 / 365)}y` : `${Math.floor(hours / 24 / 365)}y${days}d`;
  }
  return `${Math.floor(hours / 24 / 365)}y`;
}
