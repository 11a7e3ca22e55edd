import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseYaml } from '../codec/yaml.ts';
import { ConfigurationError, withFile } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import { membersOf } from '../model/json-object.ts';
import type { Endpoint } from '../outbound/endpoint.ts';

export type Members = Readonly<Record<string, unknown>>;

/** The credentials of a user entry. */
export type Credentials = Pick<
  Endpoint,
  'certificate' | 'key' | 'token' | 'tokenFile' | 'username' | 'password'
>;

/** Unsupported members of a user: ignoring them would be unsafe. */
const UNSUPPORTED = ['exec', 'auth-provider', 'as', 'as-groups', 'as-uid', 'as-user-extra'];

/** A kubeconfig file, parsed but not checked. Relative file names in it are resolved against its directory. */
export class KubeconfigDocument {
  readonly #members: Members;
  readonly #file: string;

  /** @throws ConfigurationError in one line, without secrets */
  constructor(file: string) {
    withFile('stat', file, () => statSync(file));
    this.#file = file;
    this.#members = parse(file);
  }

  /** The name of the context that is chosen, if any. */
  get currentContext(): string | undefined {
    return textOf(this.#members['current-context']);
  }

  configurationError(message: string): ConfigurationError {
    return new ConfigurationError(`invalid configuration: ${message}: ${this.#file}`);
  }

  /** Finds an entry in a list of named ones: `{name, cluster: {…}}`. */
  entry(list: 'clusters' | 'contexts' | 'users', name: string | undefined): Members | undefined {
    const entries = this.#members[list];
    if (!Array.isArray(entries) || name === undefined) return undefined;
    const found = entries.map(membersOf).find((one) => one.name === name);
    return found === undefined ? undefined : membersOf(found[list.slice(0, -1)]);
  }

  /** Names of the user entries. */
  userNames(): string[] {
    const { users } = this.#members;
    return Array.isArray(users) ? users.flatMap((user) => textOf(membersOf(user).name) ?? []) : [];
  }

  /** Reads the credentials of a user entry. @throws ConfigurationError for unsupported ones */
  credentials(user: Members): Credentials {
    this.refuse(user, 'user', UNSUPPORTED);
    const certificate = this.inlineOrFile(user, 'client-certificate');
    const key = this.inlineOrFile(user, 'client-key');
    if ((certificate === undefined) !== (key === undefined))
      throw this.configurationError('client-certificate and client-key must be specified together');
    const tokenFile = textOf(user.tokenFile);
    return given({
      certificate,
      key,
      token: textOf(user.token),
      tokenFile: tokenFile === undefined ? undefined : resolve(dirname(this.#file), tokenFile),
      username: textOf(user.username),
      password: textOf(user.password),
    });
  }

  /** @throws ConfigurationError if one of the members is set */
  refuse(entry: Members, kind: string, members: readonly string[]): void {
    for (const member of members)
      if (isGiven(entry[member])) throw this.configurationError(`${kind}.${member} is not supported`);
  }

  /** Reads a text from the base64 member `<name>-data`, or else from a file. */
  inlineOrFile(from: Members, name: string): string | undefined {
    const data = from[`${name}-data`];
    if (isGiven(data)) {
      if (typeof data !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(data.replace(/\s/g, '')))
        throw this.configurationError(`${name}-data is not base64`);
      return Buffer.from(data, 'base64').toString('utf8');
    }
    const path = textOf(from[name]);
    return path === undefined ? undefined : readTextFile(resolve(dirname(this.#file), path));
  }
}

function parse(file: string): Members {
  const quoted = JSON.stringify(file);
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw new ConfigurationError(`error loading config file ${quoted}: ${(error as Error).message}`);
  }
  try {
    return membersOf(parseYaml(Buffer.from(text)).value);
  } catch (error) {
    // Only the position of the error: the text around it may be secret.
    const line = /line \d+/.exec((error as Error).message)?.[0] ?? 'the text';
    throw new ConfigurationError(`error loading config file ${quoted}: ${line} is not valid YAML`);
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The value if it is a text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The members that are not undefined. */
export const given = <Part extends object>(part: Part): { [Name in keyof Part]?: NonNullable<Part[Name]> } =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Part]?: NonNullable<Part[Name]>;
  };
