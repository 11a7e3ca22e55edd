import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chooseRelease } from '../composition/release/choose-release.ts';
import { releaseFile } from '../composition/release/release-file.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { backupDataDirectory, checkDataDirectory, dataPaths } from '../files/data-directory.ts';
import { loadRelease } from '../options/kubernetes-version.ts';
import type { ReleaseRecord } from '../storage/release-record.ts';
import type { TransferSource, TransferTarget } from '../storage/transfer/transfer.ts';
import { processClock } from '../time/clock.ts';
import { COMMANDS, commandHelpText } from './commands.ts';
import type { CommandOutput } from './output.ts';
import { didYouMean } from './suggestion.ts';

/** A command that copies or checks stores. */
type StorageCommand = 'compact' | 'migrate' | 'restore' | 'fsck';

/** Revisions that a restored store skips: more than its servers can have written after the backup. */
const RESTORED_REVISIONS = 1_000_000_000;
const ETCD_FLAGS = ['etcd-prefix', 'etcd-cafile', 'etcd-certfile', 'etcd-keyfile'] as const;
const STORES = ['embedded', 'etcd'];

/**
 * Runs `binnacle compact`, `migrate`, `restore` or `fsck` with its arguments, and returns the exit code.
 * @throws ConfigurationError, DataDirectoryError, and errors of the stores
 */
export async function runStorageCommand(
  command: StorageCommand,
  words: readonly string[],
  output: CommandOutput,
): Promise<number> {
  const { values, positionals } = parse(command, words);
  if (values.help === true) {
    output.out(commandHelpText(command));
    return 0;
  }
  if (command === 'migrate') return migrate(values, positionals, output);
  const [directory, ...more] = positionals;
  if (directory === undefined || more.length > 0)
    throw new ConfigurationError(`${command} takes one directory: ${COMMANDS.get(command)!.usage}`);
  if (command === 'restore') return restore(directory, values['data-dir'], output);
  return command === 'compact' ? compact(directory, output) : check(directory, output);
}

/** The flags of a command, which take a text each. */
function flagsOf(command: StorageCommand): readonly string[] {
  if (command === 'migrate') return ['from', 'to', ...ETCD_FLAGS];
  return command === 'restore' ? ['data-dir'] : [];
}

/** @throws ConfigurationError with the texts of the other commands */
function parse(command: StorageCommand, words: readonly string[]) {
  const flags = flagsOf(command);
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(flags.map((flag) => [flag, { type: 'string' } as const])),
    },
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (name !== 'help' && !flags.includes(name)) {
      const known = [...flags, 'help'].map((flag) => `--${flag}`);
      throw new ConfigurationError(
        `unknown flag: ${rawName}${didYouMean(rawName, known) || `; see binnacle ${command} --help`}`,
      );
    }
    if (name !== 'help' && (value === undefined || value === ''))
      throw new ConfigurationError(`flag needs an argument: ${rawName}`);
  }
  return { values: values as Values, positionals };
}

type Values = Partial<
  Record<(typeof ETCD_FLAGS)[number] | 'from' | 'to' | 'data-dir', string> & { help: boolean }
>;

async function migrate(
  values: Values,
  positionals: readonly string[],
  output: CommandOutput,
): Promise<number> {
  const { from, to } = values;
  if (from === undefined || to === undefined || positionals.length > 0)
    throw new ConfigurationError(`migrate needs --from and --to: ${COMMANDS.get('migrate')!.usage}`);
  const { transfer } = await import('../storage/transfer/transfer.ts');
  const { end: source, record } = await open<TransferSource>(from, values, 'source');
  try {
    const { end: target, record: copied } = await open<TransferTarget>(to, values, 'target');
    const start = processClock.monotonic();
    let result: Awaited<ReturnType<typeof transfer>>;
    try {
      result = await transfer(source, target, (line) => output.error(`${line}\n`));
      const minor = await record.read();
      if (minor !== undefined) await copied.write(minor);
    } finally {
      await target.close();
    }
    const seconds = Math.round((processClock.monotonic() - start) / 1000);
    output.out(
      `${result.keys} keys are copied from ${from} to ${to} and verified, in ${seconds} s. The copy is at revision ${result.revision}; earlier ones are compacted.\n`,
    );
    return 0;
  } finally {
    await source.close();
  }
}

/** A store, and the record of its Kubernetes version. */
interface Opened<End> {
  readonly end: End;
  readonly record: ReleaseRecord;
}

async function open<End>(text: string, values: Values, end: 'source' | 'target'): Promise<Opened<End>> {
  const colon = text.indexOf(':');
  const store = text.slice(0, Math.max(colon, 0));
  const place = text.slice(colon + 1);
  if (!STORES.includes(store) || place === '')
    throw new ConfigurationError(
      `${JSON.stringify(text)} is not a store: name embedded:DIR (a data directory) or etcd:URL[,URL...]`,
    );
  if (store === 'embedded') {
    const module = await import('../storage/transfer/embedded-transfer.ts');
    const directory = dataPaths(place).storage;
    if (end === 'target') checkDataDirectory(place, '--to embedded:DIR');
    const opened = end === 'source' ? module.embeddedSource(directory) : module.embeddedTarget(directory);
    return { end: (await opened) as End, record: releaseFile(place) };
  }
  const { connectCluster } = await import('../storage/etcd/open.ts');
  const { cleanPrefix } = await import('../storage/etcd/keys.ts');
  const { etcdReleaseRecord } = await import('../storage/etcd/release-record.ts');
  const module = await import('../storage/transfer/etcd-transfer.ts');
  const options = {
    cluster: connectCluster({
      servers: place.split(','),
      caFile: values['etcd-cafile'] ?? '',
      certificateFile: values['etcd-certfile'] ?? '',
      keyFile: values['etcd-keyfile'] ?? '',
    }),
    prefix: cleanPrefix(values['etcd-prefix'] ?? '/registry'),
    now: processClock.now,
  };
  const opened = end === 'source' ? module.etcdSource(options) : module.etcdTarget(options);
  return { end: (await opened) as End, record: etcdReleaseRecord(options.cluster, options.prefix) };
}

async function restore(backup: string, dataDirectory = '.binnacle', output: CommandOutput): Promise<number> {
  const { backupDirectory } = await import('../storage/embedded/index.ts');
  const { raiseRevision } = await import('../storage/transfer/embedded-transfer.ts');
  await backupDataDirectory(backup, dataDirectory, backupDirectory, {
    source: 'name a directory that binnacle backup wrote',
    target: 'name a new or empty directory with --data-dir',
  });
  const revision = await raiseRevision(dataPaths(dataDirectory).storage, RESTORED_REVISIONS);
  output.out(
    `${backup} is restored to ${dataDirectory}, at revision ${revision}: clients read everything again. Start the server with --data-dir=${dataDirectory}.\n`,
  );
  return 0;
}

async function compact(directory: string, output: CommandOutput): Promise<number> {
  const { compactStore } = await import('../storage/transfer/compact-store.ts');
  const { keys, revision } = await compactStore(dataPaths(directory).storage, (line) =>
    output.error(`${line}\n`),
  );
  output.out(
    `${keys} keys of ${directory} are written to a new file, at revision ${revision}. History and former values are gone from it.\n`,
  );
  return 0;
}

async function check(directory: string, output: CommandOutput): Promise<number> {
  const { storage } = dataPaths(directory);
  const { checkStore } = await import('../storage/embedded/check-store.ts');
  const { createStoredDecoder } = await import('../composition/stored-decoder.ts');
  const record = releaseFile(directory);
  const written = await record.read();
  const minor = chooseRelease(record.place, written, undefined);
  await loadRelease({ kubernetesVersion: minor });
  const { decode, counts, close } = createStoredDecoder(minor);
  let damaged = 0;
  const { keys, revision } = await checkStore(
    existsSync(storage) ? storage : directory,
    decode,
    (key, problem) => {
      damaged += 1;
      output.error(`${key}: ${problem}\n`);
    },
  );
  close();
  const notes = [
    ...(written === undefined ? [] : [`written under Kubernetes ${written}`]),
    ...(counts.encrypted > 0 ? [`${counts.encrypted} encrypted values were not decrypted`] : []),
    ...(counts.unknown > 0 ? [`${counts.unknown} values are of no known kind`] : []),
  ];
  output.out(
    `${keys} keys at revision ${revision}: ${damaged === 0 ? 'all is well' : `${damaged} problems`}${notes.map((note) => `; ${note}`).join('')}\n`,
  );
  return damaged === 0 ? 0 : 1;
}
