import { RE2JS } from 're2js';
import { addressFamily } from '../../addresses/address.ts';
import { parseDuration } from '../../time/duration.ts';

const MAXIMUM_HOSTNAME = 255;
const MAXIMUM_LABEL = 63;

/** Host names of the reference: one label with at most one dash, or labels and a top-level domain of letters. */
const HOSTNAME =
  '^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|' +
  '([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}' +
  '([a-zA-Z\\p{L}]){2,63})$';
let hostname: RE2JS | undefined;

export function isHostname(text: string): boolean {
  if (text === '' || Buffer.byteLength(text) > MAXIMUM_HOSTNAME) return false;
  hostname ??= RE2JS.compile(HOSTNAME);
  return hostname.test(text) && text.split('.').every((label) => Buffer.byteLength(label) <= MAXIMUM_LABEL);
}

/** Units of durations: abbreviations, and the word that a longer unit begins with. */
const UNITS: readonly (readonly [abbreviations: readonly string[], word: string])[] = [
  [['ns'], 'nano'],
  [['us', 'µs'], 'micro'],
  [['ms'], 'milli'],
  [['s'], 'sec'],
  [['m'], 'min'],
  [['h', 'hr'], 'hour'],
  [['d'], 'day'],
  [['w', 'wk'], 'week'],
];
const MAXIMUM_DIGITS = 18;

/** Accepts Go durations such as `1h30m` and `1.5s`, and texts with a number and a unit such as `3 days`. */
export function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let accepted = false;
  for (let at = 0; at < text.length; ) {
    const end = skip(text, at, isDigit);
    if (end === at) {
      at += 1;
      continue;
    }
    const from = skip(text, end, isBlank);
    const to = skip(text, from, isLetter);
    if (to > from) {
      if (end - at > MAXIMUM_DIGITS) return false;
      if (isUnit(text.slice(from, to).toLowerCase())) accepted = true;
    }
    at = to > from ? to : end;
  }
  return accepted;
}

const isUnit = (unit: string): boolean =>
  UNITS.some(([abbreviations, word]) => abbreviations.includes(unit) || unit.startsWith(word));

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
const isBlank = (character: string): boolean => ' \t\n\f\r'.includes(character);
const isLetter = (character: string): boolean => /^[A-Za-zµ]$/.test(character);

function skip(text: string, from: number, matches: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && matches(text[at]!)) at += 1;
  return at;
}

function isGoDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x80-\\uffff-]";
const ADDRESS_ATOMS = new RegExp(`^${ATOM}+$`);
const QUOTED = /^"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"$/;

/** Accepts an address (RFC 5322), also with a display name: `Name <a@example.test>`. */
export function isEmail(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.endsWith('>')) return isAddressSpec(trimmed);
  const open = trimmed.lastIndexOf('<');
  return open >= 0 && isPhrase(trimmed.slice(0, open).trim()) && isAddressSpec(trimmed.slice(open + 1, -1));
}

const isPhrase = (text: string): boolean =>
  text === '' || QUOTED.test(text) || text.split(' ').every((word) => word === '' || isDotAtom(word, true));

function isAddressSpec(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return at > 0 && (QUOTED.test(local) || isDotAtom(local)) && isDotAtom(text.slice(at + 1));
}

/** Atoms separated by single dots; names may have dots anywhere. */
const isDotAtom = (text: string, isName = false): boolean =>
  text.split('.').every((atom) => (isName && atom === '') || ADDRESS_ATOMS.test(atom));

/** Accepts an absolute URL, an opaque one such as `urn:x:y`, and an absolute path. */
export function isUri(text: string): boolean {
  if (/[\x00-\x20\x7f]/.test(text)) return false;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  if (!rest.startsWith('/')) return scheme !== '';
  if (/%(?![0-9a-f]{2})/i.test(rest.split('?', 1)[0]!)) return false;
  return scheme === '' || !rest.startsWith('//') || isAuthority(/^[^/?]*/.exec(rest.slice(2))![0]);
}

function isAuthority(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) {
    const end = host.indexOf(']');
    if (end < 0 || !/^(?::\d*)?$/.test(host.slice(end + 1))) return false;
    return addressFamily(host.slice(1, end).split('%25', 1)[0]!) === 6;
  }
  const colon = host.lastIndexOf(':');
  return (colon < 0 || /^\d*$/.test(host.slice(colon + 1))) && !/[[\]<>"\\^`{|}]/.test(host);
}

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Returns whether a text is a label of DNS in lower case (`k8s-short-name`). */
export const isShortName = (text: string): boolean => text.length <= 63 && LABEL.test(text);

/** Returns whether a text consists of labels of DNS in lower case, of any length each (`k8s-long-name`). */
export const isLongName = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((label) => LABEL.test(label));
