import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Configuration, configure, type ServerOptions } from '../../src/options/options.ts';

/** Some resources for the runtime configuration. */
export const RESOURCES = [
  { group: '', version: 'v1', resource: 'pods', optional: false },
  { group: 'networking.k8s.io', version: 'v1beta1', resource: 'ipaddresses', optional: true },
];

/** A configuration with an address that does not depend on the machine. */
export function configuration(options: ServerOptions = {}): Configuration {
  return configure({ advertiseAddress: '192.0.2.1', ...options }, () => RESOURCES);
}

/** A directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-config-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
