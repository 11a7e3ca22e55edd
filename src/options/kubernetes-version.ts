import { ConfigurationError } from '../errors/configuration-error.ts';
import { DEFAULT_MINOR, loadScheme, SERVED_MINORS, type ServedMinor } from '../model/scheme.ts';

/**
 * The minor version that `--kubernetes-version` names: `1.34`, `v1.34`, or one of its patches (`1.34.2`, `1.34.x`).
 * A server has the latest patch that it knows.
 * @returns undefined for a version that is not served
 */
function servedMinor(text: string): ServedMinor | undefined {
  const minor = /^v?(\d{1,3}\.\d{1,3})(?:\.(?:\d{1,3}|x|\*))?$/.exec(text)?.[1];
  return SERVED_MINORS.find((served) => served === minor);
}

/** The minor version of an option. @throws ConfigurationError for one that is not served */
export function readKubernetesVersion(text: string): ServedMinor {
  const minor = servedMinor(text);
  if (minor === undefined)
    throw new ConfigurationError(
      `invalid value ${JSON.stringify(text)} for --kubernetes-version: use one of ${SERVED_MINORS.join(', ')}`,
    );
  return minor;
}

/**
 * Loads the release that options name, before they are validated. A wrong option loads nothing: the validation
 * reports it.
 */
export async function loadRelease({
  kubernetesVersion,
}: {
  readonly kubernetesVersion?: unknown;
}): Promise<void> {
  const text = kubernetesVersion === undefined ? DEFAULT_MINOR : kubernetesVersion;
  const minor = typeof text === 'string' ? servedMinor(text) : undefined;
  if (minor !== undefined) await loadScheme(minor);
}
