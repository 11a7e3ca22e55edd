import { ConfigurationError } from '../errors/configuration-error.ts';
import { flagName } from '../options/flags/flag.ts';
import { FLAGS, type FlagValues, flagOf, OPTION_BY_FLAG, type OptionName } from '../options/flags/table.ts';
import { didYouMean } from './suggestion.ts';

/** A parsed command line. */
export interface CommandLine {
  /** Values of the flags that were given. */
  readonly options: Partial<FlagValues>;
  readonly help: boolean;
  readonly version: 'text' | 'raw' | undefined;
  /** Words that are not flags, in order. */
  readonly words: readonly string[];
  /** One line for each deprecated flag. */
  readonly warnings: readonly string[];
}

const SHORTHANDS = new Map(
  (Object.keys(FLAGS) as OptionName[]).flatMap((option) => {
    const { shorthand } = flagOf(option);
    return shorthand === undefined ? [] : [[shorthand, option] as const];
  }),
);

/**
 * Reads a command line by the rules of Go's pflag: `--flag=value`, `--flag value`, `-v2`, booleans alone, `_`
 * for `-` in names, `--` ends the flags.
 * @throws ConfigurationError with pflag's text, for example `unknown flag: --x`
 */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const values = new Map<OptionName, unknown>();
  const rest: string[] = [];
  let help = false;
  let version: CommandLine['version'];

  const set = (option: OptionName, text: string) => {
    const flag = flagOf(option);
    const name =
      flag.shorthand === undefined ? `--${flagName(option)}` : `-${flag.shorthand}, --${flagName(option)}`;
    try {
      values.set(option, flag.form.parse(text, values.get(option)));
    } catch (error) {
      throw new ConfigurationError(
        `invalid argument ${JSON.stringify(text)} for ${JSON.stringify(name)} flag: ${(error as Error).message}`,
      );
    }
  };

  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    if (word === '--') {
      rest.push(...words.slice(index + 1));
      break;
    }
    if (word === '-h' || word === '--help') {
      help = true;
    } else if (word.startsWith('--')) {
      const [name, text] = splitFlag(word.slice(2));
      if (name === '' || name.startsWith('-')) throw new ConfigurationError(`bad flag syntax: ${word}`);
      if (name === 'version') {
        version = text === 'raw' ? 'raw' : text === 'false' ? undefined : 'text';
        continue;
      }
      const option = OPTION_BY_FLAG.get(name.replaceAll('_', '-'));
      if (option === undefined) throw new ConfigurationError(`unknown flag: --${name}${suggestFlag(name)}`);
      const { alone } = flagOf(option).form;
      if (text !== undefined) set(option, text);
      else if (alone !== undefined) set(option, alone);
      else if (index + 1 < words.length) set(option, words[++index]!);
      else throw new ConfigurationError(`flag needs an argument: --${name}`);
    } else if (word.startsWith('-') && word.length > 1) {
      const option = SHORTHANDS.get(word[1]!);
      if (option === undefined)
        throw new ConfigurationError(`unknown shorthand flag: '${word[1]}' in ${word}`);
      if (word.length > 2) set(option, word[2] === '=' ? word.slice(3) : word.slice(2));
      else if (index + 1 < words.length) set(option, words[++index]!);
      else throw new ConfigurationError(`flag needs an argument: '${word[1]}' in ${word}`);
    } else rest.push(word);
  }
  return {
    options: Object.fromEntries(values) as Partial<FlagValues>,
    help,
    version,
    words: rest,
    warnings: [...values.keys()].flatMap(warningsOf),
  };
}

/** `; did you mean --secure-port?`, or nothing when no flag has a similar name. */
function suggestFlag(name: string): string {
  const names = [...OPTION_BY_FLAG.keys(), 'help', 'version'].map((known) => `--${known}`);
  return didYouMean(`--${name.replaceAll('_', '-')}`, names);
}

/** `name=value` → both; without `=` there is no value. */
function splitFlag(text: string): [string, string | undefined] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
}

function warningsOf(option: OptionName): string[] {
  const { deprecated } = flagOf(option);
  return deprecated === undefined ? [] : [`Flag --${flagName(option)} has been deprecated, ${deprecated}`];
}
