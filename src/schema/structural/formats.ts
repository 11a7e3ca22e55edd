import { parseAddressSloppy } from '../../addresses/address.ts';
import { parseRange } from '../../addresses/range.ts';
import { daysInMonth } from '../../time/calendar.ts';
import { isDuration, isEmail, isHostname, isUri } from './name-formats.ts';

const matching =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/** Matches a UUID with or without dashes. @param version its version digit, or a class of digits */
const uuid = (version: string): ((text: string) => boolean) =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));

/**
 * Validators by format. All repetitions in patterns have a fixed length, so that matching takes linear time.
 */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  byte: isBase64,
  cidr: (text) => parseRange(text) !== undefined,
  creditcard: (text) => isLuhn(text.replace(/[^0-9]/g, '')),
  date: isDate,
  'date-time': isDateTime,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && isAddress(text),
  ipv6: (text) => text.includes(':') && isAddress(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: matching(
    /^(?:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){7}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2,3})$/i,
  ),
  password: () => true,
  rgbcolor: (text) => {
    const channels = /^rgb\(\s{0,9}(\d{1,3})\s{0,9},\s{0,9}(\d{1,3})\s{0,9},\s{0,9}(\d{1,3})\s{0,9}\)$/.exec(
      text,
    );
    return channels?.slice(1).every((channel) => Number(channel) <= 255) === true;
  },
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  uri: isUri,
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
};

/** Returns whether a format is checked. Dashes in format names are ignored. */
export const isKnownFormat = (format: string): boolean =>
  Object.hasOwn(FORMATS, format) || Object.hasOwn(FORMATS, format.replaceAll('-', ''));

/**
 * Returns whether a text has a format; unknown formats accept every text. Dashes in format names are ignored.
 */
export function hasFormat(format: string, text: string): boolean {
  const name = Object.hasOwn(FORMATS, format) ? format : format.replaceAll('-', '');
  return !Object.hasOwn(FORMATS, name) || FORMATS[name]!(text);
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && Buffer.from(text, 'base64').toString('base64') === text;
}

/** Returns whether a text is an address. Leading zeros in IPv4 addresses are accepted, zones are not. */
const isAddress = (text: string): boolean => parseAddressSloppy(text) !== undefined;

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  return day >= 1 && day <= daysInMonth(year, month);
}

function isDateTime(text: string): boolean {
  const time = /^[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,18})?(?:[Zz]|[+-](\d{2}):?(\d{2}))$/.exec(
    text.slice(10),
  );
  if (time === null || !isDate(text.slice(0, 10))) return false;
  const [hour, minute, second] = time.slice(1, 4).map(Number) as [number, number, number];
  return hour < 24 && minute < 60 && second < 60;
}

const isbnDigits = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

function isIsbn10(text: string): boolean {
  const digits = isbnDigits(text);
  if (!/^\d{9}[0-9X]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = isbnDigits(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return (
    [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 ===
    0
  );
}

function isLuhn(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
