import { ConfigurationError } from '../../errors/configuration-error.ts';
import {
  DEFAULT_MINOR,
  loadScheme,
  type Release,
  releaseOf,
  SERVED_MINORS,
  type ServedMinor,
} from '../../model/scheme.ts';
import { readKubernetesVersion } from '../../options/kubernetes-version.ts';
import { commandHelpText } from '../commands.ts';
import type { CommandOutput } from '../output.ts';
import { contentOf, differenceOf, type ReleaseDifference } from './content.ts';

/** Characters of a line of names. */
const LINE = 110;

interface Version extends Release {
  readonly version: ServedMinor;
  readonly isDefault: boolean;
  /** Against the release before it; undefined for the first one that is served. */
  readonly changes: ReleaseDifference | undefined;
}

/** Runs `binnacle versions` with its arguments, and resolves to the exit code. @throws ConfigurationError */
export async function runVersionsCommand(words: readonly string[], output: CommandOutput): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    output.out(commandHelpText('versions'));
    return 0;
  }
  const flags = words.filter((word) => word.startsWith('-'));
  const names = words.filter((word) => !word.startsWith('-'));
  const unknown = flags.find((flag) => flag !== '--json');
  if (unknown !== undefined)
    throw new ConfigurationError(`unknown flag: ${unknown}; see binnacle help versions`);
  if (names.length > 1) throw new ConfigurationError('versions takes one minor version at most');
  const chosen = names[0] === undefined ? SERVED_MINORS : [readKubernetesVersion(names[0])];
  const versions: Version[] = [];
  for (const minor of chosen) versions.push(await describe(minor));
  if (flags.length > 0) output.out(`${JSON.stringify({ versions })}\n`);
  else output.out(versions.map((version) => text(version, names.length > 0)).join('\n'));
  return 0;
}

async function describe(minor: ServedMinor): Promise<Version> {
  const before = SERVED_MINORS[SERVED_MINORS.indexOf(minor) - 1];
  return {
    version: minor,
    ...releaseOf(minor),
    isDefault: minor === DEFAULT_MINOR,
    changes:
      before === undefined
        ? undefined
        : differenceOf(contentOf(await loadScheme(before)), contentOf(await loadScheme(minor))),
  };
}

/** @param isDetailed whether fields and types are named, not counted */
function text({ version, gitVersion, state, isDefault, changes }: Version, isDetailed: boolean): string {
  const head = `${version}  ${gitVersion}, ${state}${isDefault ? ', the default' : ''}\n`;
  if (changes === undefined) return head;
  const { kinds, gates, types, fields } = changes;
  const count = (names: readonly string[]): readonly string[] =>
    isDetailed || names.length === 0 ? names : [String(names.length)];
  return [
    head,
    ...line('new kinds', kinds.added),
    ...line('kinds that are gone', kinds.removed),
    ...line('new feature gates', gates.added),
    ...line('feature gates that are gone', gates.removed),
    ...line('on by default now', gates.enabled),
    ...line('off by default now', gates.disabled),
    ...line('new types', count(types.added)),
    ...line('types that are gone', count(types.removed)),
    ...line('new fields of known types', count(fields.added)),
    ...line('fields that are gone', count(fields.removed)),
  ].join('');
}

/** The names after a title, in lines of bounded length; nothing without names. */
function line(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const lines = [`  ${title}:`];
  for (const [index, name] of names.entries()) {
    const word = ` ${name}${index < names.length - 1 ? ',' : ''}`;
    if (lines.at(-1)!.length + word.length > LINE) lines.push('   ');
    lines[lines.length - 1] += word;
  }
  return lines.map((one) => `${one}\n`);
}
