import { isMinor, MINORS, type Minor } from '../model/life.ts';
import type { Scheme } from '../model/scheme.ts';

/** The component whose version `--emulated-version` names. */
const COMPONENT = 'kube';

/** How many releases before its own a server can emulate. */
const EMULATED_BEFORE = 3;

/** The oldest release that a server can emulate. */
function oldestEmulated(minor: Minor): Minor {
  return MINORS[Math.max(0, MINORS.indexOf(minor) - EMULATED_BEFORE)]!;
}

/** Validates the version of a component in `--emulated-version`. */
function validateVersion(component: string, text: string, minor: Minor): string[] {
  if (component !== COMPONENT) return [`component not registered: ${component}`];
  const [, version, patch = '0'] = /^v?(\d+\.\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (version === undefined)
    return [
      /^v?\d/.test(text)
        ? `illegal version string ${JSON.stringify(text)}`
        : `could not parse ${JSON.stringify(text)} as version`,
    ];
  if (Number(patch) !== 0) return [`patch version not allowed, got: ${COMPONENT}=${text}`];
  const oldest = oldestEmulated(minor);
  const known = MINORS.slice(MINORS.indexOf(oldest), MINORS.indexOf(minor) + 1);
  return isMinor(version) && known.includes(version)
    ? []
    : [`emulation version ${version} is not between [${oldest}, ${minor}.0]`];
}

/** Validates `--emulated-version`: each component, `kube` by default, may have one version. */
export function validateEmulatedVersions(parts: readonly string[], { minor }: Scheme): string[] {
  const versions = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const component = equals < 0 ? COMPONENT : part.slice(0, equals);
    const version = part.slice(equals + 1);
    const other = versions.get(component);
    if (other !== undefined)
      return [`duplicate version flag, ${component}=${other} and ${component}=${version}`];
    versions.set(component, version);
  }
  return [...versions].flatMap(([component, version]) => validateVersion(component, version, minor));
}

/** The release of `--emulated-version`, or that of the scheme if none, or a wrong one, is given. */
export function emulatedVersion(values: readonly string[], { minor }: Scheme): Minor {
  const version = /(?:^|=)v?(\d+\.\d+)(?:\.\d+)?$/.exec(values.at(-1) ?? '')?.[1] ?? minor;
  return isMinor(version) ? version : minor;
}
