import { offsetAt, zoneFormat } from './zones.ts';

const HOUR = 3_600_000;

/** A point in time, as a clock of a zone shows it. */
export class LocalTime {
  readonly milliseconds: number;
  readonly #zone: string;
  /** Milliseconds east of UTC. */
  readonly offset: number;
  /** The local time, as if it were UTC. */
  readonly #local: Date;

  private constructor(milliseconds: number, zone: string) {
    this.milliseconds = milliseconds;
    this.#zone = zone;
    this.offset = offsetOf(milliseconds, zone);
    this.#local = new Date(milliseconds + this.offset);
  }

  /** @param zone of the time zone database; UTC for '' and for an unknown one */
  static at(milliseconds: number, zone: string): LocalTime {
    return new LocalTime(milliseconds, zone);
  }

  get year(): number {
    return this.#local.getUTCFullYear();
  }

  /** 1 to 12. */
  get month(): number {
    return this.#local.getUTCMonth() + 1;
  }

  /** 1 to 31. */
  get day(): number {
    return this.#local.getUTCDate();
  }

  /** 0 is Sunday. */
  get weekday(): number {
    return this.#local.getUTCDay();
  }

  get hour(): number {
    return this.#local.getUTCHours();
  }

  get minute(): number {
    return this.#local.getUTCMinutes();
  }

  startOfNextMonth(): LocalTime {
    return this.#startingAt(Date.UTC(this.year, this.month, 1));
  }

  /** The first full hour of the next day, which may have no midnight. */
  startOfNextDay(): LocalTime {
    const start = this.#startingAt(Date.UTC(this.year, this.month - 1, this.day + 1));
    return start.hour > 12 ? start.plus((24 - start.hour) * HOUR) : start;
  }

  startOfHour(): LocalTime {
    return this.#startingAt(Math.floor(this.#local.getTime() / HOUR) * HOUR);
  }

  /** A later time by the clock of the world: the local time may jump in between. */
  plus(milliseconds: number): LocalTime {
    return new LocalTime(this.milliseconds + milliseconds, this.#zone);
  }

  /** The point at which a clock shows a local time, as Go finds it where there are none or two. */
  #startingAt(local: number): LocalTime {
    const offset = offsetOf(local, this.#zone);
    const guess = offsetOf(local - offset, this.#zone);
    return new LocalTime(local - guess, this.#zone);
  }
}

/** Milliseconds east of UTC. */
function offsetOf(milliseconds: number, zone: string): number {
  const format = zone === '' || zone === 'UTC' ? undefined : zoneFormat(zone);
  return format === undefined ? 0 : offsetAt(format, Math.floor(milliseconds / 1000)) * 1000;
}
