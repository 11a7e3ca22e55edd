import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseYaml } from '../codec/yaml.ts';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import type { Endpoint } from '../outbound/endpoint.ts';

type Members = Readonly<Record<string, unknown>>;

/** Unsupported members that change the connection or the user: ignoring them would be unsafe. */
const UNSUPPORTED = {
  cluster: ['proxy-url'],
  user: ['exec', 'auth-provider', 'as', 'as-groups', 'as-uid', 'as-user-extra'],
} as const;

/**
 * Reads the connection of a kubeconfig's current context. Relative file names are resolved against its
 * directory.
 * @throws ConfigurationError in one line, without secrets
 */
export function readClientConfig(file: string): Endpoint {
  withFile('stat', file, () => statSync(file));
  const configurationError = (message: string) =>
    new ConfigurationError(`invalid configuration: ${message}: ${file}`);
  const config = parse(file);
  const contextName = textOf(config['current-context']);
  const context = entry(config.contexts, contextName, 'context');
  if (context === undefined)
    throw configurationError(
      contextName === undefined
        ? 'no current-context is chosen'
        : `context was not found for specified context: ${contextName}`,
    );
  const cluster = entry(config.clusters, textOf(context.cluster), 'cluster');
  const server = textOf(cluster?.server);
  if (
    cluster === undefined ||
    server === undefined ||
    !URL.canParse(server) ||
    !/^https?:$/.test(new URL(server).protocol)
  )
    throw configurationError('cluster has no server defined');
  const user = entry(config.users, textOf(context.user), 'user') ?? {};
  refuseUnsupported(cluster, user, configurationError);
  const read = (from: Members, name: string) => inlineOrFile(from, name, dirname(file), configurationError);
  const caBundle = read(cluster, 'certificate-authority');
  const certificate = read(user, 'client-certificate');
  const key = read(user, 'client-key');
  if ((certificate === undefined) !== (key === undefined))
    throw configurationError('client-certificate and client-key must be specified together');
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  if (insecure && caBundle !== undefined)
    throw configurationError('specifying a root certificates file with the insecure flag is not allowed');
  const tokenFile = textOf(user.tokenFile);
  return {
    server,
    ...(insecure ? { insecure } : {}),
    ...given({
      caBundle,
      certificate,
      key,
      serverName: textOf(cluster['tls-server-name']),
      token: textOf(user.token),
      tokenFile: tokenFile === undefined ? undefined : resolve(dirname(file), tokenFile),
      username: textOf(user.username),
      password: textOf(user.password),
    }),
  };
}

function parse(file: string): Members {
  const text = readTextFile(file);
  try {
    return membersOf(parseYaml(Buffer.from(text)).value);
  } catch (error) {
    // Only the position of the error: the text around it may be secret.
    const line = /line \d+/.exec((error as Error).message)?.[0] ?? 'the text';
    throw new ConfigurationError(
      `error loading config file ${JSON.stringify(file)}: ${line} is not valid YAML`,
    );
  }
}

function refuseUnsupported(
  cluster: Members,
  user: Members,
  configurationError: (message: string) => Error,
): void {
  for (const member of UNSUPPORTED.cluster)
    if (isGiven(cluster[member])) throw configurationError(`cluster.${member} is not supported`);
  for (const member of UNSUPPORTED.user)
    if (isGiven(user[member])) throw configurationError(`user.${member} is not supported`);
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
const given = <Part extends object>(part: Part): { [Name in keyof Part]?: NonNullable<Part[Name]> } =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Part]?: NonNullable<Part[Name]>;
  };

/** Finds an entry in a list of named ones: `{name, cluster: {…}}`. */
function entry(list: unknown, name: string | undefined, member: string): Members | undefined {
  if (!Array.isArray(list) || name === undefined) return undefined;
  const found = list.map(membersOf).find((one) => one.name === name);
  return found === undefined ? undefined : membersOf(found[member]);
}

/** Reads a text from the base64 member `<name>-data`, or else from a file. */
function inlineOrFile(
  from: Members,
  name: string,
  directory: string,
  configurationError: (message: string) => Error,
): string | undefined {
  const data = from[`${name}-data`];
  if (isGiven(data)) {
    if (typeof data !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(data.replace(/\s/g, '')))
      throw configurationError(`${name}-data is not base64`);
    return Buffer.from(data, 'base64').toString('utf8');
  }
  const path = textOf(from[name]);
  return path === undefined ? undefined : readTextFile(resolve(directory, path));
}
