/** The characters of a token in Go's package `mime`. */
const TOKEN = "[!#$%&'*+\\-.^_`{|}~0-9A-Za-z]";
const TYPE = new RegExp(`^(${TOKEN}*)(/?)(${TOKEN}*)`);
/** A parameter: its name, and its value as a token or in quotes. */
const PARAMETER = new RegExp(
  `\\s*;\\s*(${TOKEN}+)\\s*=\\s*(?:(${TOKEN}+)|"((?:[^"\\\\\\r\\n]|\\\\.)*)")`,
  'y',
);

/** A media type without its parameters, in lower case; or why Go's clients refuse it. */
export type MediaType =
  | { readonly type: string; readonly problem?: undefined }
  | { readonly type?: undefined; readonly problem: string };

/** Parses the value of a Content-Type header, with the error texts of Go. */
export function parseMediaType(value: string): MediaType {
  const end = value.indexOf(';');
  const type = (end < 0 ? value : value.slice(0, end)).trim().toLowerCase();
  const problem = typeProblem(type) ?? (end < 0 ? undefined : parameterProblem(value, end));
  return problem === undefined ? { type } : { problem: `mime: ${problem}` };
}

function typeProblem(type: string): string | undefined {
  const [whole, first, slash, second] = TYPE.exec(type)!;
  if (first === '') return 'no media type';
  if (slash === '') return whole === type ? undefined : 'expected slash after first token';
  if (second === '') return 'expected token after slash';
  return whole === type ? undefined : 'unexpected content after media subtype';
}

function parameterProblem(value: string, start: number): string | undefined {
  const values = new Map<string, string>();
  let at = start;
  while (value.slice(at).trim() !== '') {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(value);
    if (found === null) return value.slice(at).trim() === ';' ? undefined : 'invalid media parameter';
    const name = found[1]!.toLowerCase();
    const text = found[2] ?? found[3]!.replace(/\\([()<>@,;:\\"/[\]?=])/g, '$1');
    if ((values.get(name) ?? text) !== text) return 'duplicate parameter name';
    values.set(name, text);
    at += found[0].length;
  }
  return undefined;
}
