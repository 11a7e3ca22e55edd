import type { AdmissionOperation, AdmissionPlugin } from '../../request/admission.ts';
import type { AdmissionPhase, PluginOptions } from './declaration.ts';
import { ADMISSION_PLUGIN_BY_NAME } from './table.ts';

/**
 * Creates the named plugins, in order.
 * @param extra the plugins that objects configure (webhooks, policies), by name
 */
export const createPlugins = (
  names: readonly string[],
  options: PluginOptions,
  extra: ReadonlyMap<string, AdmissionPlugin> = new Map(),
): AdmissionPlugin[] => names.flatMap((name) => extra.get(name) ?? builtin(name, options));

function builtin(name: string, options: PluginOptions): AdmissionPlugin[] {
  const plugin = ADMISSION_PLUGIN_BY_NAME.get(name)?.create?.(options);
  return plugin === undefined ? [] : [{ name, ...plugin }];
}

/** The requested plugin names that are not supported. */
export function unsupportedPlugins(
  requested: readonly string[],
  plugins: readonly AdmissionPlugin[],
): string[] {
  const present = new Set(plugins.map(({ name }) => name));
  return [...new Set(requested)].filter((name) => !present.has(name));
}

/** The deprecated plugins among the named ones. */
export const deprecatedPlugins = (names: readonly string[]): string[] =>
  names.filter((name) => ADMISSION_PLUGIN_BY_NAME.get(name)?.isDeprecated === true);

/** Whether kube-apiserver calls a plugin in a phase of an operation, even if it ignores the resource. */
export const isCalledFor = (plugin: string, operation: AdmissionOperation, phase: AdmissionPhase): boolean =>
  ADMISSION_PLUGIN_BY_NAME.get(plugin)?.operations[phase]?.includes(operation) ?? false;
