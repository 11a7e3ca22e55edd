import type { Life } from '../model/life.ts';

/** The flags that select admission plugins. */
export interface AdmissionFlags {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** The deprecated list of exactly the plugins to run. */
  readonly admissionControl: readonly string[];
}

/** A plugin that the flags can select, in the releases that have it. */
export interface SelectablePlugin extends Life {
  readonly name: string;
  /** Whether it runs unless a flag disables it. */
  readonly isDefault: boolean;
}

/** Returns the names of the enabled plugins, in the order of the given ones. */
export function enabledAdmissionPlugins(
  { enableAdmissionPlugins, disableAdmissionPlugins, admissionControl }: AdmissionFlags,
  plugins: readonly SelectablePlugin[],
): string[] {
  const isEnabled =
    admissionControl.length > 0
      ? (name: string) => admissionControl.includes(name)
      : (name: string, isDefault: boolean) =>
          enableAdmissionPlugins.includes(name) || (isDefault && !disableAdmissionPlugins.includes(name));
  return plugins.filter(({ name, isDefault }) => isEnabled(name, isDefault)).map(({ name }) => name);
}

/** Returns the errors in the admission flags. */
export function validateAdmissionFlags(
  flags: AdmissionFlags,
  plugins: readonly SelectablePlugin[],
): string[] {
  const { enableAdmissionPlugins, disableAdmissionPlugins, admissionControl } = flags;
  const known = new Set(plugins.map(({ name }) => name));
  const unknown = (flag: string, names: readonly string[]) =>
    names
      .filter((name) => !known.has(name))
      .map((name) => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const both = enableAdmissionPlugins.filter((name) => disableAdmissionPlugins.includes(name)).sort();
  if (admissionControl.length > 0 && enableAdmissionPlugins.length + disableAdmissionPlugins.length > 0) {
    return [
      'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
    ];
  }
  return [
    ...unknown('enable-admission-plugins', enableAdmissionPlugins),
    ...unknown('disable-admission-plugins', disableAdmissionPlugins),
    ...unknown('admission-control', admissionControl),
    ...(both.length > 0
      ? [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]
      : []),
  ];
}
