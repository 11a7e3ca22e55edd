import { ConfigurationError } from '../../errors/configuration-error.ts';
import { DEFAULT_MINOR, releaseOf, SERVED_MINORS, type ServedMinor } from '../../model/scheme.ts';
import { readKubernetesVersion } from '../../options/kubernetes-version.ts';
import { COMMANDS } from '../commands.ts';
import { didYouMean } from '../suggestion.ts';

/** The parsed words of `binnacle envtest`. */
export interface EnvtestOptions {
  readonly directory: string;
  /** Whether to write an index with archives instead of programs. */
  readonly index: boolean;
  /** Whether the servers run no controllers. */
  readonly bare: boolean;
  /** Where the directory of an index will be served. */
  readonly url: URL;
  /** A folder with executables of this version, for the archives of an index; undefined for this program. */
  readonly executables: string | undefined;
  /** The minor versions to write; the first one is that of the programs in the directory itself. */
  readonly minors: readonly [ServedMinor, ...ServedMinor[]];
}

const SWITCHES = ['bare', 'index'] as const;
const VALUES = ['url', 'executables', 'kubernetes-version'] as const;
const NAMES = [...SWITCHES, ...VALUES].map((name) => `--${name}`);
/** Where `python3 -m http.server` serves the current directory. */
const DEFAULT_URL = 'http://127.0.0.1:8000/';

/** @throws ConfigurationError with a one-line message */
export function parseEnvtestOptions(words: readonly string[]): EnvtestOptions {
  const switches = new Set<string>();
  const values = new Map<string, string>();
  const directories: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const [flag, ...rest] = word.split('=');
    const name = flag!.slice(2);
    if (!word.startsWith('-')) directories.push(word);
    else if (includes(SWITCHES, name) && rest.length === 0) switches.add(name);
    else if (!includes(VALUES, name) || !word.startsWith('--'))
      throw new ConfigurationError(
        `unknown flag: ${word}${didYouMean(flag!, NAMES) || '; see binnacle help envtest'}`,
      );
    else {
      const value = rest.length > 0 ? rest.join('=') : words[++index];
      if (value === undefined || value === '')
        throw new ConfigurationError(`flag needs an argument: --${name}`);
      values.set(name, value);
    }
  }
  const [directory, ...more] = directories;
  if (directory === undefined || more.length > 0)
    throw new ConfigurationError(`envtest takes one directory: ${COMMANDS.get('envtest')!.usage}`);
  const index = switches.has('index');
  for (const name of ['url', 'executables'])
    if (!index && values.has(name))
      throw new ConfigurationError(`--${name} is for an index: add --index, or leave it out`);
  return {
    directory,
    index,
    bare: switches.has('bare'),
    url: parseUrl(values.get('url') ?? DEFAULT_URL),
    executables: values.get('executables'),
    minors: select(values.get('kubernetes-version'), index),
  };
}

const includes = (names: readonly string[], name: string): boolean => names.includes(name);

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError(`--url must be the http or https URL at which the index is served: ${text}`);
  return url;
}

/** The named minor version; without one, the default and the complete ones, in an index all. */
function select(version: string | undefined, index: boolean): readonly [ServedMinor, ...ServedMinor[]] {
  if (version !== undefined) return [readKubernetesVersion(version)];
  const others = SERVED_MINORS.filter(
    (minor) => minor !== DEFAULT_MINOR && (index || releaseOf(minor).state === 'complete'),
  );
  return [DEFAULT_MINOR, ...others];
}
