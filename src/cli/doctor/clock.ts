import { existsSync, statSync } from 'node:fs';
import { dataPaths } from '../../files/data-directory.ts';
import { pause } from '../../time/pause.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** How long the clocks are compared, and by how much they may differ, in milliseconds. */
const WATCHED = 200;
const TOLERANCE = 100;
/** Files may be a little newer than the clock, on another machine's disk. */
const SLACK = 60_000;
/** A clock that nobody has set shows an earlier year. */
const LEAST_YEAR = 2024;
const ADVICE = 'let the system set its clock (NTP): certificates, tokens and leases depend on it';

/** Whether the clock of the machine is plausible and runs evenly. */
export const checkClock: Check = async ({ clock, dataDirectory }): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const [wall, steady] = [clock.now(), clock.monotonic()];
  await pause(WATCHED, clock);
  const drift = clock.now() - wall - (clock.monotonic() - steady);
  if (Math.abs(drift) > TOLERANCE)
    findings.push(
      finding(
        'clock',
        'warning',
        `the clock was set by ${Math.round(drift)} ms while this program ran`,
        ADVICE,
      ),
    );
  const now = new Date(clock.now());
  if (now.getUTCFullYear() < LEAST_YEAR)
    findings.push(finding('clock', 'problem', `the clock shows ${now.toISOString()}`, ADVICE));
  const paths = dataPaths(dataDirectory);
  for (const path of Object.values(paths).filter(existsSync)) {
    const ahead = statSync(path).mtimeMs - now.getTime();
    if (ahead > SLACK)
      findings.push(
        finding(
          'clock',
          'warning',
          `${path} was written ${Math.round(ahead / 60_000)} minutes in the future`,
          ADVICE,
        ),
      );
  }
  return findings.length > 0 ? findings : [finding('clock', 'ok', now.toISOString())];
};
