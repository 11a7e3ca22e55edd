import { expect, it } from 'vitest';
import { parseMediaType } from '../../src/outbound/media-type.ts';

it.each([
  ['application/json', 'application/json'],
  [' Text/HTML ; charset=utf-8', 'text/html'],
  ['json', 'json'],
  ['*/*', '*/*'],
  ['application/json;', 'application/json'],
  ['application/json; a=b; a=b', 'application/json'],
  ['application/json; a="x\\"; y"', 'application/json'],
  ['application/json; a=""', 'application/json'],
  ["application/json; a*=utf-8''x; a*0=y", 'application/json'],
])('the media type %s', (value, type) => {
  expect(parseMediaType(value)).toEqual({ type });
});

it.each([
  ['', 'no media type'],
  [';', 'no media type'],
  ['/json', 'no media type'],
  ['é/x', 'no media type'],
  ['application /json', 'expected slash after first token'],
  ['application/', 'expected token after slash'],
  ['application/json, text/plain', 'unexpected content after media subtype'],
  ['application/json;;', 'invalid media parameter'],
  ['application/json; charset', 'invalid media parameter'],
  ['application/json; charset=', 'invalid media parameter'],
  ['application/json; a="x', 'invalid media parameter'],
  ['application/json; a=b c', 'invalid media parameter'],
  ['application/json; a=b; A=c', 'duplicate parameter name'],
])('a refused media type %s', (value, problem) => {
  expect(parseMediaType(value)).toEqual({ problem: `mime: ${problem}` });
});
