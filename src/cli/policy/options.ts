import { ConfigurationError } from '../../errors/configuration-error.ts';
import { didYouMean } from '../suggestion.ts';

/** The parsed command line of `binnacle policy`; files by their paths. */
export interface PolicyOptions {
  /** Policies, bindings, parameters, namespaces and definitions. */
  readonly files: readonly string[];
  /** The manifests to try. */
  readonly on: readonly string[];
  /** The previous object of an update. */
  readonly old: string | undefined;
  readonly operation: string | undefined;
  readonly user: string | undefined;
  readonly groups: readonly string[];
  readonly help: boolean;
}

const FLAGS = ['on', 'old', 'operation', 'user', 'group'] as const;
type FlagName = (typeof FLAGS)[number];

/**
 * `--name value` and `--name=value`, anywhere. All files that follow `--on` are manifests.
 * @throws ConfigurationError with a one-line message
 */
export function parsePolicyOptions(words: readonly string[]): PolicyOptions {
  const values = new Map<FlagName, string[]>(FLAGS.map((flag) => [flag, []]));
  const files: string[] = [];
  let help = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === '--help' || word === '-h') help = true;
    else if (!word.startsWith('-')) (values.get('on')!.length > 0 ? values.get('on')! : files).push(word);
    else {
      const equals = word.indexOf('=');
      const name = word.slice(2, equals < 0 ? undefined : equals) as FlagName;
      if (!word.startsWith('--') || !FLAGS.includes(name))
        throw new ConfigurationError(
          `unknown flag: ${word}${
            didYouMean(
              word,
              FLAGS.map((flag) => `--${flag}`),
            ) || '; see binnacle policy --help'
          }`,
        );
      const value = equals < 0 ? words[++index] : word.slice(equals + 1);
      if (value === undefined || value === '')
        throw new ConfigurationError(`flag needs an argument: --${name}`);
      values.get(name)!.push(value);
    }
  }
  const only = (name: FlagName) => values.get(name)!.at(-1);
  return {
    files,
    on: values.get('on')!,
    old: only('old'),
    operation: only('operation'),
    user: only('user'),
    groups: values.get('group')!,
    help,
  };
}
