/** What `binnacle help` says about a command. */
export interface CommandHelp {
  readonly usage: string;
  /** One line in the list of commands. */
  readonly summary: string;
  readonly details: string;
}

/** The commands, in the order in which help lists them. Without a command the server starts. */
export const COMMANDS: ReadonlyMap<string, CommandHelp> = new Map([
  [
    'backup',
    {
      usage: 'binnacle backup DIR [--data-dir DATA]',
      summary: 'copy the data of --data-dir into DIR, while the server runs or not',
      details: `Copies objects, certificates and the service account key of a data directory into the new directory DIR.
The server may be running. A server that is started with --data-dir=DIR serves the copy.

Flags:
  --data-dir DATA
        The data directory to copy. (default .binnacle)

Example:
  binnacle backup backup-1 --data-dir .binnacle`,
    },
  ],
  [
    'cel',
    {
      usage: 'binnacle cel EXPRESSION [flags]',
      summary: 'evaluate an expression of the API (CEL)',
      details: '',
    },
  ],
  [
    'policy',
    {
      usage: 'binnacle policy FILE... --on FILE...',
      summary: 'try admission policies on manifests, without a server',
      details: '',
    },
  ],
  [
    'version',
    {
      usage: 'binnacle version',
      summary: 'print the version',
      details:
        'Prints the version of Binnacle and the Kubernetes version that it implements. binnacle --version=raw prints JSON.',
    },
  ],
  [
    'help',
    {
      usage: 'binnacle help [COMMAND]',
      summary: 'explain a command; without one, list commands and flags',
      details: 'Prints the same as binnacle COMMAND --help.',
    },
  ],
]);

/**
 * The text of `binnacle help NAME` for a command of {@link COMMANDS} other than cel and policy, which print their
 * own.
 */
export function commandHelpText(name: string): string {
  const { usage, summary, details } = COMMANDS.get(name)!;
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.\n\nUsage:\n  ${usage}\n\n${details}\n`;
}

/** The list of commands for the usage of the program. */
export function commandList(): string {
  const rows: [string, string][] = [['binnacle [flags]', 'start the server']];
  for (const { usage, summary } of COMMANDS.values()) rows.push([usage, summary]);
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return rows.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}`).join('\n');
}
