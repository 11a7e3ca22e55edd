import { sortInSteps } from '../steps/sort.ts';
import type { Steps } from '../steps/steps.ts';

const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/**
 * Sorts keys in natural order: punctuation and digits before letters, runs of digits by their numeric value.
 * Yields between steps.
 */
export const naturallySorted = (texts: readonly string[]): Steps<string[]> =>
  sortInSteps(texts, compareNaturally);

function compareNaturally(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  if (at > 0 && (isLowSurrogate(a.charCodeAt(at)) || isLowSurrogate(b.charCodeAt(at)))) at--;
  const x = a.codePointAt(at)!;
  const y = b.codePointAt(at)!;
  const isLetterOfA = isLetter(x);
  const isLetterOfB = isLetter(y);
  if (isLetterOfA !== isLetterOfB) return isLetterOfB ? -1 : 1;
  return (isLetterOfA ? 0 : compareDigits(a, b, at)) || x - y;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

function isLetter(point: number): boolean {
  if (point < 0x80) return (point | 0x20) >= 0x61 && (point | 0x20) <= 0x7a;
  return letter.test(String.fromCodePoint(point));
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Compares the numbers that begin at an index, where the texts differ for the first time. */
function compareDigits(a: string, b: string, at: number): number {
  const endOfA = digitsEnd(a, at);
  const endOfB = digitsEnd(b, at);
  // Behind other digits the zeros count.
  const isZeroFirst = a.charCodeAt(at) === 0x30 || b.charCodeAt(at) === 0x30;
  const follows = isZeroFirst && followsNumber(a, at);
  const x = follows ? at : skipZeros(a, at, endOfA);
  const y = follows ? at : skipZeros(b, at, endOfB);
  if (endOfA - x !== endOfB - y) return endOfA - x - (endOfB - y);
  for (let index = 0; index < endOfA - x; index++) {
    const difference = a.charCodeAt(x + index) - b.charCodeAt(y + index);
    if (difference !== 0) return difference;
  }
  return endOfA - endOfB;
}

/** Whether the digits before an index have one above 0. */
function followsNumber(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0 && digit.test(text[before]!); before--)
    if (text[before] !== '0') return true;
  return false;
}

function digitsEnd(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function skipZeros(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === 0x30) at++;
  return at;
}
