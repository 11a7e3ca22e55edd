import { writePlain } from '../codec/json-plain.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import type { Members } from './tree.ts';

/** Reads the tokens of a JSON text that was parsed without error. Colons and commas are no tokens. */
class Tokens {
  readonly #pace = new Pace(stepSizes.values);
  constructor(
    private readonly text: string,
    public position = 0,
  ) {}

  /** The next token: a bracket, or the text of a string, number or literal. */
  next(): string {
    const { text } = this;
    let start = this.position;
    while (' \t\r\n,:'.includes(text[start]!)) start += 1;
    let end = start + 1;
    if (text[start] === '"') end = endOfString(text, end);
    else if (!'{}[]'.includes(text[start]!))
      while (end < text.length && !' \t\r\n,]}'.includes(text[end]!)) end += 1;
    this.position = end;
    return text.slice(start, end);
  }

  /** Counts a token. @returns whether it is time for a pause */
  isPause(): boolean {
    return this.#pace.isPause();
  }
}

function endOfString(text: string, from: number): number {
  for (let end = from; ; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '"') return end + 1;
  }
}

/**
 * The places of the values of the operations in the text of a JSON Patch, by the index of the operation; of
 * operations without one, nothing.
 * @param text of a JSON array of objects, which was parsed without error
 */
export function* valuePlaces(text: string): Steps<Map<number, number>> {
  const places = new Map<number, number>();
  const tokens = new Tokens(text);
  let depth = 0;
  let index = -1;
  let isName = false;
  for (let token = tokens.next(); ; token = tokens.next()) {
    if (tokens.isPause()) yield;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return places;
    if (depth === 1) index += 1;
    // The names of an operation's members alternate with their values.
    else if (depth === 2 && token === '{') isName = true;
    else if (depth === 2 && isName) {
      if (JSON.parse(token) === 'value') places.set(index, tokens.position);
      isName = false;
    } else if (depth === 2) isName = true;
  }
}

interface Frame {
  readonly value: Members | readonly unknown[];
  /** Items that were compared. */
  count: number;
  /** The name of the member that comes. */
  name: string | undefined;
}

/**
 * Whether a value is written as kube-apiserver writes it: its numbers and strings have the same text.
 * @param text has the value at `place`, without duplicate members
 * @param value equal to that of the text
 */
export function* isWrittenAs(text: string, place: number, value: unknown): Steps<boolean> {
  const tokens = new Tokens(text, place);
  const open: Frame[] = [];
  do {
    if (tokens.isPause()) yield;
    const token = tokens.next();
    const frame = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (frame !== undefined && !Array.isArray(frame.value) && frame.name === undefined)
      frame.name = JSON.parse(token) as string;
    else {
      const expected = frame === undefined ? value : nextOf(frame);
      if (token === '{' || token === '[')
        open.push({ value: expected as Frame['value'], count: 0, name: undefined });
      else if (token !== writePlain(expected)) return false;
    }
  } while (open.length > 0);
  return true;
}

function nextOf(frame: Frame): unknown {
  if (Array.isArray(frame.value)) return frame.value[frame.count++];
  const value = (frame.value as Members)[frame.name!];
  frame.name = undefined;
  return value;
}
