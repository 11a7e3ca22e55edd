import type { Version } from './version.ts';

/** Changes of a segment: bounds the links that a shared segment keeps too long. */
const SEGMENT_LENGTH = 1024;

/** Consecutive changes in revision order. While several logs hold it, it does not change. */
class Segment {
  readonly versions: Version[] = [];
  /** Logs that hold the segment. */
  holders = 1;

  get first(): number {
    return this.versions[0]!.revision;
  }
}

/**
 * All changes of a store in revision order, without those that were compacted. A fork shares the segments of its
 * origin: each of them drops changes for itself, and the links from a dropped change to the one before are removed
 * once no log holds its segment.
 */
export class ChangeLog {
  /** Only the last segment may be empty. */
  #segments: Segment[] = [new Segment()];
  /** Changes at the beginning of the first segment that were dropped. */
  #dropped = 0;
  #length = 0;
  readonly #segmentLength: number;

  constructor(segmentLength: number = SEGMENT_LENGTH) {
    this.#segmentLength = segmentLength;
  }

  get length(): number {
    return this.#length;
  }

  append(version: Version): void {
    let last = this.#segments.at(-1)!;
    if (last.holders > 1 || last.versions.length >= this.#segmentLength) {
      last = new Segment();
      this.#segments.push(last);
    }
    last.versions.push(version);
    this.#length += 1;
  }

  /** A log with the same changes; both go on for themselves. */
  fork(): ChangeLog {
    const fork = new ChangeLog(this.#segmentLength);
    fork.#segments = this.#segments.filter(({ versions }) => versions.length > 0);
    for (const segment of fork.#segments) segment.holders += 1;
    if (fork.#segments.length === 0) fork.#segments.push(new Segment());
    fork.#dropped = this.#dropped;
    fork.#length = this.#length;
    return fork;
  }

  /**
   * Drops the changes before a revision.
   * @param onDropped is called for each of them, before its link is removed
   */
  dropBefore(revision: number, onDropped: (version: Version) => void): void {
    for (let segment = this.#segments[0]!; ; segment = this.#segments[0]!) {
      const { versions } = segment;
      const end = countBefore(versions, revision);
      for (let index = this.#dropped; index < end; index += 1) onDropped(versions[index]!);
      this.#length -= Math.max(0, end - this.#dropped);
      if (end < versions.length || this.#segments.length === 1) {
        if (segment.holders === 1) removeLinks(versions, end);
        this.#dropped = Math.max(this.#dropped, end);
        return;
      }
      this.#release(segment);
      this.#segments.shift();
      this.#dropped = 0;
    }
  }

  /** Drops all changes; the log is not used any more. */
  close(): void {
    for (const segment of this.#segments) this.#release(segment);
    this.#segments = [new Segment()];
    this.#dropped = 0;
    this.#length = 0;
  }

  /**
   * Changes from `from` to `to`, both inclusive: at least `limit`, if there are as many, and the rest of the
   * last one's revision.
   */
  slice(from: number, to: number, limit: number): Version[] {
    const found: Version[] = [];
    for (let index = this.#segmentOf(from); index < this.#segments.length; index += 1) {
      for (const version of this.#changesOf(index)) {
        if (version.revision < from) continue;
        if (version.revision > to) return found;
        if (found.length >= limit && version.revision !== found.at(-1)!.revision) return found;
        found.push(version);
      }
    }
    return found;
  }

  /** The changes after a revision, the newest one first. */
  *newestAfter(revision: number): Generator<Version, void> {
    for (let index = this.#segments.length - 1; index >= 0; index -= 1) {
      const changes = this.#changesOf(index);
      for (let position = changes.length - 1; position >= 0; position -= 1) {
        const version = changes[position]!;
        if (version.revision <= revision) return;
        yield version;
      }
    }
  }

  /** The change in the middle; undefined in an empty log. */
  middle(): Version | undefined {
    let position = this.#length >>> 1;
    for (let index = 0; index < this.#segments.length; index += 1) {
      const changes = this.#changesOf(index);
      if (position < changes.length) return changes[position];
      position -= changes.length;
    }
    return undefined;
  }

  #changesOf(index: number): readonly Version[] {
    const { versions } = this.#segments[index]!;
    return index === 0 && this.#dropped > 0 ? versions.slice(this.#dropped) : versions;
  }

  /** The last segment that begins at or before a revision; the first one if none does. */
  #segmentOf(revision: number): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const segment = this.#segments[middle]!;
      if (segment.versions.length > 0 && segment.first < revision) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #release(segment: Segment): void {
    segment.holders -= 1;
    if (segment.holders === 0) removeLinks(segment.versions, segment.versions.length);
  }
}

function removeLinks(versions: readonly Version[], end: number): void {
  for (let index = 0; index < end; index += 1) versions[index]!.previous = undefined;
}

/** How many of the versions are before a revision. */
function countBefore(versions: readonly Version[], revision: number): number {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (versions[middle]!.revision < revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
