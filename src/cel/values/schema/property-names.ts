import { isReserved } from '../../syntax/reserved.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]),
);

/** The name of a property in expressions; undefined for a property that is not accessible. */
export function escapePropertyName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return isReserved(name) ? `__${name}__` : name.replace(/__|[./-]/g, (part) => ESCAPES[part]!);
}

/** The property of a name in expressions; undefined for an invalid escape. */
export function unescapePropertyName(name: string): string | undefined {
  if (!name.includes('__')) return name;
  const word = /^__(.*)__$/s.exec(name)?.[1];
  if (word !== undefined && isReserved(word)) return word;
  const parts = name.split(/(__(?:underscores|dot|dash|slash)__)/);
  // Every second part is an escape; the other parts must not need escaping.
  if (parts.some((part, index) => index % 2 === 0 && part.includes('__'))) return undefined;
  return parts.map((part) => CHARACTERS.get(part) ?? part).join('');
}
