import { parseAddressSloppy } from '../../addresses/address.ts';
import { parseRange } from '../../addresses/range.ts';
import { daysInMonth } from '../../time/calendar.ts';
import { isDuration, isEmail, isHostname, isLongName, isShortName, isUri } from './name-formats.ts';

const matching =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/**
 * Matches a UUID with or without dashes.
 * @param version its version digit, or a class of digits
 * @param variant its variant digit, or a class of digits
 */
const uuid = (version: string, variant = '[0-9a-f]'): ((text: string) => boolean) =>
  matching(
    new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'),
  );

/** Numbers of cards by their issuers. */
const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/**
 * Validators by format. All repetitions in patterns have a fixed length, so that matching takes linear time.
 */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  byte: isBase64,
  cidr: (text) => parseRange(text) !== undefined,
  creditcard: (text) => isCardNumber(text.replace(/[^0-9]/g, '')),
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
  k8slongname: isLongName,
  k8sshortname: isShortName,
  mac: matching(
    /^(?:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){7}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2,3})$/i,
  ),
  password: () => true,
  rgbcolor: (text) => {
    if (!text.startsWith('rgb(') || !text.endsWith(')')) return false;
    const channels = text.slice('rgb('.length, -1).split(',');
    return channels.length === 3 && channels.every((channel) => isChannel(trimBlanks(channel)));
  },
  ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  uri: isUri,
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: uuid('4', '[89ab]'),
  uuid5: uuid('5', '[89ab]'),
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
  // As in the reference, any character may come before the fraction, and nothing after another T counts.
  const time = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u.exec(
    text.slice(11).toLowerCase().split('t', 1)[0]!,
  );
  if (time === null || !/^[Tt]$/.test(text[10] ?? '') || !isDate(text.slice(0, 10))) return false;
  const [hour, minute, second] = time.slice(1, 4).map(Number) as [number, number, number];
  return hour < 24 && minute < 60 && second < 60;
}

const isbnDigits = (text: string): string => text.replace(/[\t\n\f\r -]/g, '');

const isChannel = (text: string): boolean => /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/.test(text);

/** Removes the white space of RE2's `\s` at both ends. */
function trimBlanks(text: string): string {
  const isBlank = (at: number): boolean => '\t\n\f\r '.includes(text[at]!);
  let from = 0;
  let end = text.length;
  while (from < end && isBlank(from)) from += 1;
  while (end > from && isBlank(end - 1)) end -= 1;
  return text.slice(from, end);
}

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

function isCardNumber(digits: string): boolean {
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
