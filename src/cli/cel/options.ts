import { ConfigurationError } from '../../errors/configuration-error.ts';
import { didYouMean } from '../suggestion.ts';

/** The parsed command line of `binnacle cel`; files by their paths. */
export interface CelOptions {
  readonly expression?: string;
  readonly self?: string;
  readonly old?: string;
  readonly schema?: string;
  readonly environment?: string;
  readonly cases?: string;
  /** More variables by name: files with their values. */
  readonly variables: ReadonlyMap<string, string>;
  readonly help: boolean;
}

const FLAGS = ['self', 'old', 'schema', 'environment', 'cases', 'variable'] as const;
type FlagName = (typeof FLAGS)[number];

/**
 * `--name value` and `--name=value`, anywhere; one expression.
 * @throws ConfigurationError with a one-line message
 */
export function parseCelOptions(words: readonly string[]): CelOptions {
  const values = new Map<FlagName, string>();
  const variables = new Map<string, string>();
  const expressions: string[] = [];
  let help = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === '--') {
      expressions.push(...words.slice(index + 1));
      break;
    }
    if (word === '--help' || word === '-h') help = true;
    // An expression can begin with one minus, but not with two.
    else if (!word.startsWith('--')) expressions.push(word);
    else {
      const equals = word.indexOf('=');
      const name = word.slice(2, equals < 0 ? undefined : equals) as FlagName;
      if (!FLAGS.includes(name))
        throw new ConfigurationError(
          `unknown flag: --${name}${
            didYouMean(
              `--${name}`,
              FLAGS.map((flag) => `--${flag}`),
            ) || '; see binnacle cel --help'
          }`,
        );
      const value = equals < 0 ? words[++index] : word.slice(equals + 1);
      if (value === undefined || value === '')
        throw new ConfigurationError(`flag needs an argument: --${name}`);
      if (name === 'variable') variables.set(...variable(value));
      else values.set(name, value);
    }
  }
  if (expressions.length > 1)
    throw new ConfigurationError('more than one expression: enclose the expression in quotes');
  return { expression: expressions[0], ...Object.fromEntries(values), variables, help };
}

function variable(value: string): [name: string, file: string] {
  const equals = value.indexOf('=');
  if (equals <= 0 || equals === value.length - 1)
    throw new ConfigurationError(`--variable takes NAME=FILE, not ${JSON.stringify(value)}`);
  return [value.slice(0, equals), value.slice(equals + 1)];
}
