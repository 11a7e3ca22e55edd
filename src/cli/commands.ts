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
    'compact',
    {
      usage: 'binnacle compact DIR',
      summary: 'write the current values of a data directory into a new file, without history',
      details: `Replaces the store of the data directory DIR, which no server may be using, by a new file with the current value of
each key. Former values, which stay in the history and in free pages of the file, are gone from it: use it after all
values have been encrypted, or to make the file smaller. Resource versions stay; older ones are expired.

Example:
  binnacle compact .binnacle`,
    },
  ],
  [
    'doctor',
    {
      usage: 'binnacle doctor [--json] [flags]',
      summary: 'say what is wrong with this machine, a data directory or flags, and what to do',
      details: `Looks at the version, the flags, the port, the data directory with its owner, certificates and store, the disk, the
limits, the clock and kubectl, and changes nothing. It takes the flags of the server that does not work. The exit code
is 1 when there is a problem, 0 when there are only warnings.

Flags:
  --json
        Print an object: {"healthy": false, "findings": [{"check", "severity", "found", "advice"}]}.

Example:
  binnacle doctor --data-dir .binnacle --secure-port 6443`,
    },
  ],
  [
    'envtest',
    {
      usage: 'binnacle envtest DIR [flags]',
      summary: 'write the programs that envtest looks for into DIR',
      details: `Writes kube-apiserver, etcd and kubectl into DIR, and again below it as setup-envtest and kube-api-test expect them
(k8s/VERSION-OS-ARCH). Tests that use envtest run on this Binnacle when KUBEBUILDER_ASSETS names the directory. Each
test environment gets a server of its own, which keeps its objects in memory, empties deleted namespaces and collects
the dependents of deleted owners. BINNACLE_CONTROLLERS in the environment of a test names other controllers, as
--controllers does. The etcd only answers health checks.

Flags:
  --bare
        Run no controllers, as in a kube-apiserver.
  --kubernetes-version VERSION
        The minor version to write, for example 1.32. (default: those that binnacle versions calls complete, in an index all)
  --index
        Write archives and their index into DIR instead, for setup-envtest use --index URL.
  --url URL
        With --index: where DIR will be served. (default http://127.0.0.1:8000/)
  --executables FOLDER
        With --index: archives for the platforms whose executables are in FOLDER, not for this program.

Example:
  eval "$(binnacle envtest bin/envtest)"
  go test ./...`,
    },
  ],
  [
    'fsck',
    {
      usage: 'binnacle fsck DIR',
      summary: 'check a data directory: every value can be decoded, the tables agree',
      details: `Checks the store of the data directory DIR, which a server may be using, and prints a line for each damaged
key. Values that are encrypted are not decrypted. The exit code is 1 when something is damaged.

Example:
  binnacle fsck .binnacle`,
    },
  ],
  [
    'migrate',
    {
      usage: 'binnacle migrate --from STORE --to STORE [flags]',
      summary: 'copy all objects between a data directory and etcd',
      details: `Copies all stored values byte by byte and compares the copy. STORE is embedded:DIR, a data directory, or etcd:URL,
one or more URLs with commas between them. No server may use the source, and the target must be empty. Resource
versions are kept in a data directory; etcd gets a revision above that of the source. Older versions are expired.

Flags:
  --etcd-prefix PREFIX
        Prefix of all keys in etcd. (default /registry)
  --etcd-cafile FILE, --etcd-certfile FILE, --etcd-keyfile FILE
        CA bundle of etcd, and the client certificate with its key.

Example:
  binnacle migrate --from embedded:.binnacle --to etcd:http://127.0.0.1:2379`,
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
    'restore',
    {
      usage: 'binnacle restore BACKUP [--data-dir DATA]',
      summary: 'copy a backup into a new data directory, with a higher revision',
      details: `Copies the backup into the new data directory DATA and raises its revision by a billion, so that clients that have
seen later states read everything again. A directory that binnacle backup wrote can also be served as it is, which
is right only if no client has seen a later state.

Flags:
  --data-dir DATA
        The new data directory. (default .binnacle)

Example:
  binnacle restore backup-1 --data-dir restored`,
    },
  ],
  [
    'serve',
    {
      usage: 'binnacle [serve] [flags]',
      summary: 'start the server',
      // Its help is the list of flags.
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
    'versions',
    {
      usage: 'binnacle versions [VERSION] [--json]',
      summary: 'list the minor versions of Kubernetes that it serves, and what each adds',
      details: `Prints for each minor version that --kubernetes-version takes how far it is implemented, and what it adds to the one
before it and no longer has. With VERSION, only for that one, with the names of all fields. The lists are made from the
declarations that the server itself uses.

Flags:
  --json
        Print an object: {"versions": [{"version", "gitVersion", "state", "isDefault", "changes"}]}.

Example:
  binnacle versions 1.34`,
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
 * own, and serve, whose help is that of the program.
 */
export function commandHelpText(name: string): string {
  const { usage, summary, details } = COMMANDS.get(name)!;
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.\n\nUsage:\n  ${usage}\n\n${details}\n`;
}

/** The list of commands for the usage of the program. */
export function commandList(): string {
  const { usage, summary } = COMMANDS.get('serve')!;
  const rows: [string, string][] = [[usage, summary]];
  for (const [name, command] of COMMANDS) if (name !== 'serve') rows.push([command.usage, command.summary]);
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return rows.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}`).join('\n');
}
