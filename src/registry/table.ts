import type { KubernetesObject } from '../model/object.ts';

/** One column of a Table. */
export interface TableColumn {
  readonly name: string;
  /** OpenAPI type: string, integer, boolean, number, date. */
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; above, in wide output. */
  readonly priority: number;
}

/** A cell whose text depends on the time of reading: the age since a timestamp. */
export class AgeCell {
  /**
   * @param timestamp RFC 3339, or undefined when not known
   * @param show the cell's text around the age
   */
  constructor(
    readonly timestamp: string | undefined,
    private readonly show?: (age: string) => string,
  ) {}

  /** @param now wall clock in milliseconds */
  text(now: number): string {
    const age = formatAge(this.timestamp, now);
    return this.show === undefined ? age : this.show(age);
  }
}

export type Cell = string | number | boolean | null | AgeCell | readonly unknown[];

/** How a kind looks as a Table. */
export interface TableDefinition {
  readonly columns: readonly TableColumn[];
  /** The cells of one object in the served version, one a column. */
  cells(object: KubernetesObject): Cell[];
  /** The order of rows, where it is not that of names; objects are in the served version. */
  compare?(a: KubernetesObject, b: KubernetesObject): number;
  /** Conditions of the row (completed pods). */
  conditions?(object: KubernetesObject): readonly object[] | undefined;
}

/** The age shown for a timestamp: two units at most, as kubectl users know it. */
export function formatAge(timestamp: string | undefined, now: number): string {
  if (timestamp === undefined || timestamp === '') return '<unknown>';
  return formatDuration(now - Date.parse(timestamp));
}

/** A duration in milliseconds as `5m12s`, `3h4m`, `2d`, …; `<invalid>` when it lies in the future. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
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
