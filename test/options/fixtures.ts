import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ADMISSION_PLUGINS } from '../../src/admission/plugins/table.ts';
import {
  type Configuration,
  configure,
  type Selectable,
  type ServerOptions,
} from '../../src/options/options.ts';

/** Some resources for the runtime configuration. */
const RESOURCES = [
  { group: '', version: 'v1', resource: 'pods', optional: false },
  { group: 'networking.k8s.io', version: 'v1beta1', resource: 'ipaddresses', optional: true },
];

export const SELECTABLE: Selectable = { resourcesOf: () => RESOURCES, plugins: ADMISSION_PLUGINS };

/** A configuration with an address that does not depend on the machine. */
export function configuration(options: ServerOptions = {}): Configuration {
  return configure({ advertiseAddress: '192.0.2.1', ...options }, SELECTABLE);
}

/** A directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-config-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
