import { dirname, resolve } from 'node:path';
import { parseYaml } from '../../../codec/yaml.ts';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { readTextFile } from '../../../files/files.ts';
import type { AdmissionConfiguration } from '../../../model/generated/apiserverconfig-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { RawJson } from '../../../model/object.ts';
import { type DocumentKind, readDocument } from '../document.ts';

const KIND: DocumentKind = {
  kind: 'AdmissionConfiguration',
  versions: {
    'apiserver.config.k8s.io/v1': () => internalTypes.type('apiserverconfig_v1.AdmissionConfiguration'),
    'apiserver.k8s.io/v1alpha1': () => internalTypes.type('apiserverconfig_v1alpha1.AdmissionConfiguration'),
  },
};

/** Plugins whose document alone may be the file, with its member. */
const LEGACY: ReadonlyMap<string, string> = new Map([
  ['ImagePolicyWebhook', 'imagePolicy'],
  ['PodNodeSelector', 'podNodeSelectorPluginConfig'],
]);

/** Returns the text of a plugin's document; undefined if it has none. @throws ConfigurationError */
export type PluginDocuments = (plugin: string) => string | undefined;

/**
 * Reads the AdmissionConfiguration of `--admission-control-config-file`. A document is read only when it is
 * asked for: those of disabled and unknown plugins have no effect. The first entry of a plugin counts, and its
 * `configuration` before its `path`, which is relative to the file.
 * @throws ConfigurationError
 */
export function readPluginDocuments(file: string): PluginDocuments {
  if (file === '') return () => undefined;
  const text = readFile(file);
  let content: AdmissionConfiguration;
  try {
    ({ content } = readDocument<AdmissionConfiguration>(text, KIND));
  } catch (error) {
    if (isLegacy(text)) return (plugin) => (LEGACY.has(plugin) ? text : undefined);
    throw new ConfigurationError(`failed to read plugin config: ${(error as Error).message}`);
  }
  return (plugin) => {
    const entry = content.plugins?.find(({ name }) => name === plugin);
    if (entry?.configuration instanceof RawJson) return entry.configuration.text;
    if (entry?.path === undefined || entry.path === '') return undefined;
    return readTextFile(resolve(dirname(file), entry.path));
  };
}

function readFile(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new ConfigurationError(
      `failed to read plugin config: unable to read admission control configuration from ${JSON.stringify(file)} [${(error as Error).message}]`,
    );
  }
}

/** Whether the text is the document of a plugin without apiVersion and kind. */
function isLegacy(text: string): boolean {
  try {
    const { value } = parseYaml(Buffer.from(text));
    return (
      typeof value === 'object' &&
      value !== null &&
      [...LEGACY.values()].some((member) => Object.hasOwn(value, member))
    );
  } catch {
    return false;
  }
}
