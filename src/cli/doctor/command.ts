import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { DEFAULT_MINOR, type Release, schemeOf } from '../../model/scheme.ts';
import { FLAGS } from '../../options/flags/table.ts';
import { loadRelease, readKubernetesVersion } from '../../options/kubernetes-version.ts';
import type { ServerOptions } from '../../options/options.ts';
import { holdingClock } from '../../time/clock.ts';
import { COMMANDS, commandHelpText } from '../commands.ts';
import type { CommandOutput } from '../output.ts';
import { parseCommandLine } from '../parse-command-line.ts';
import { checkCertificates } from './certificates.ts';
import { checkClock } from './clock.ts';
import { checkDirectory } from './directory.ts';
import { checkDisk } from './disk.ts';
import { type Check, type Finding, findingOf, type Patient, type ProgramResult } from './finding.ts';
import { checkKubectl } from './kubectl.ts';
import { checkPort } from './port.ts';
import { checkFlags, checkLimits, checkVersion } from './program.ts';
import { reportText } from './report.ts';
import { checkObjects } from './store.ts';

/** The checks, in the order of the report. */
const CHECKS: readonly (readonly [area: string, check: Check])[] = [
  ['version', checkVersion],
  ['flags', checkFlags],
  ['port', checkPort],
  ['directory', checkDirectory],
  ['certificates', checkCertificates],
  ['store', checkObjects],
  ['disk', checkDisk],
  ['limits', checkLimits],
  ['clock', checkClock],
  ['kubectl', checkKubectl],
];

/** Longest time and output of a program that is asked, in milliseconds and characters. */
const PROGRAM_MILLISECONDS = 5000;
const PROGRAM_OUTPUT = 1 << 16;

/**
 * Runs `binnacle doctor` and returns the exit code: 1 if there is a problem. It takes the flags of the server that
 * does not work, and changes nothing.
 * @throws ConfigurationError for flags that do not exist
 */
export async function runDoctorCommand(
  words: readonly string[],
  output: CommandOutput,
  changes: Partial<Patient> = {},
): Promise<number> {
  const { options, help, words: rest } = parseCommandLine(words.filter((word) => word !== '--json'));
  if (help) {
    output.out(commandHelpText('doctor'));
    return 0;
  }
  if (rest.length > 0)
    throw new ConfigurationError(`doctor takes flags only: ${COMMANDS.get('doctor')!.usage}`);
  const patient: Patient = {
    options,
    release: await releaseOf(options),
    dataDirectory: options.dataDir ?? FLAGS.dataDir.initial,
    temporaryDirectory: tmpdir(),
    environment: process.env,
    clock: holdingClock,
    run: runProgram,
    ...changes,
  };
  const findings: Finding[] = [];
  for (const [area, check] of CHECKS) findings.push(...(await look(area, check, patient)));
  const healthy = findings.every(({ severity }) => severity !== 'problem');
  output.out(words.includes('--json') ? `${JSON.stringify({ healthy, findings })}\n` : reportText(findings));
  return healthy ? 0 : 1;
}

/** A version that there is not is reported with the flags. */
async function releaseOf({ kubernetesVersion = DEFAULT_MINOR }: ServerOptions): Promise<Release> {
  try {
    const minor = readKubernetesVersion(kubernetesVersion);
    await loadRelease({ kubernetesVersion });
    return schemeOf(minor).release;
  } catch {
    return schemeOf().release;
  }
}

async function look(area: string, check: Check, patient: Patient): Promise<readonly Finding[]> {
  try {
    return await check(patient);
  } catch (error) {
    return [findingOf(area, 'problem', error)];
  }
}

function runProgram(program: string, ...words: readonly string[]): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    const cancel = holdingClock.after(PROGRAM_MILLISECONDS, () => child.kill('SIGKILL'));
    const end = (code: number | undefined): void => {
      cancel();
      resolve({ code, out });
    };
    child.on('error', () => end(undefined));
    child.on('close', (code) => end(code ?? undefined));
    child.stdout.on('data', (chunk: Buffer) => {
      if (out.length < PROGRAM_OUTPUT) out += chunk.toString();
    });
  });
}
