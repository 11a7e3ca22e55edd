import { type Flag, flagName } from '../options/flags/flag.ts';
import { SECTIONS } from '../options/flags/table.ts';
import { commandList } from './commands.ts';

const USAGE = `Binnacle is a Kubernetes-compatible API server in one small process.
It runs controllers and a scheduler, and no containers: Pods run on nodes that --simulate-nodes simulates.

Usage:
${commandList()}

Flags are kube-apiserver's; those marked [no effect] are accepted and ignored.`;

/** Columns of text at which descriptions are wrapped. */
const WIDTH = 120;

/** The text of `--help`: each flag on a line of its own that begins with `--`. */
export function helpText(): string {
  const lines = [USAGE];
  for (const [section, flags] of Object.entries(SECTIONS)) {
    lines.push('', `${section} flags:`, '');
    for (const [option, flag] of Object.entries<Flag<unknown>>(flags)) lines.push(...flagLines(option, flag));
  }
  lines.push(
    '',
    'Other flags:',
    '',
    '  --help, -h',
    '        This text.',
    '  --version[=raw]',
    '        Print the version and stop.',
  );
  return `${lines.join('\n')}\n`;
}

function flagLines(option: string, flag: Flag<unknown>): string[] {
  const form = flag.placeholder ?? flag.form.name;
  const head = `  --${flagName(option)}${form === '' ? '' : ` ${form}`}${flag.shorthand === undefined ? '' : `, -${flag.shorthand}`}`;
  return [head, ...wrap(flagDescription(flag), WIDTH - 8).map((line) => `        ${line}`)];
}

/** Description, default and marks of a flag, as one paragraph. */
export function flagDescription(flag: Flag<unknown>): string {
  const shown = flag.form.show(flag.initial);
  return [
    flag.effect === 'none' ? '[no effect]' : flag.effect === 'refused' ? '[not supported yet]' : '',
    flag.description,
    shown === undefined ? '' : `(default ${shown})`,
    flag.deprecated === undefined ? '' : `(DEPRECATED: ${flag.deprecated})`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
