/** The parts of a date and time: year, month (1 to 12), day, hour, minute, second. */
export type DateTimeParts = readonly [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
];

/** Number of days in a month of the Gregorian calendar; 0 for a month that is not 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The parts of a time whose digits are the first six groups of a match; undefined when one is out of range. */
export function dateTimeParts(match: RegExpExecArray): DateTimeParts | undefined {
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  const isValid = day >= 1 && day <= daysInMonth(year, month) && hour < 24 && minute < 60 && second < 60;
  return isValid ? [year, month, day, hour, minute, second] : undefined;
}
