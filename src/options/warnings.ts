import { formatMilliseconds } from '../time/duration.ts';
import type { FlagValues } from './flags/table.ts';

/** Seconds that extended tokens are valid: a year. */
const EXTENDED_SECONDS = 31_536_000;
/** Seconds after which the holder of an extended token is warned. */
const WARNED_SECONDS = 3607;

/** Returns kube-apiserver's warnings about values that are valid but probably a mistake. */
export function doubtfulValues(values: FlagValues): string[] {
  const warnings = [
    ...standardHeaderMissing(
      values.requestheaderUsernameHeaders,
      'username-headers',
      'X-Remote-User',
      'header',
    ),
    ...standardHeaderMissing(values.requestheaderGroupHeaders, 'group-headers', 'X-Remote-Group', 'header'),
    ...standardHeaderMissing(
      values.requestheaderExtraHeadersPrefix,
      'extra-headers-prefix',
      'X-Remote-Extra-',
      'header prefix',
    ),
  ];
  const longest = values.serviceAccountMaxTokenExpiration;
  if (values.serviceAccountExtendTokenExpiration && longest !== 0) {
    const shown = formatMilliseconds(longest);
    if (longest / 1000 < WARNED_SECONDS)
      warnings.push(
        `service-account-extend-token-expiration is true, in order to correctly trigger safe transition logic, service-account-max-token-expiration must be set longer than ${WARNED_SECONDS} seconds (currently ${shown})`,
      );
    if (longest / 1000 < EXTENDED_SECONDS)
      warnings.push(
        `service-account-extend-token-expiration is true, enabling tokens valid up to ${EXTENDED_SECONDS} seconds, which is longer than service-account-max-token-expiration set to ${shown}`,
      );
  }
  return warnings;
}

/** Returns a message if headers are configured without the standard one, which aggregation needs. */
export function standardHeaderMissing(
  headers: readonly string[],
  flag: string,
  standard: string,
  what: string,
): string[] {
  if (headers.length === 0 || headers.some((header) => header.toLowerCase() === standard.toLowerCase()))
    return [];
  return [
    `--requestheader-${flag} is set without specifying the standard ${standard} ${what} - API aggregation will not work`,
  ];
}
