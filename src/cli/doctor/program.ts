import { readFileSync } from 'node:fs';
import { configureServer } from '../../composition/configure-server.ts';
import { checkDocuments } from '../../options/documents/check.ts';
import { versionText } from '../../options/version.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** Open files that a server with some hundred watches needs. */
const LEAST_FILES = 1024;
/** Options of Node.js that let others run code in the process, or change which authorities are trusted. */
const NOTED_VARIABLES = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'];

/** The versions of the program and of what runs it. */
export const checkVersion: Check = ({ environment, release }) => [
  finding(
    'version',
    'ok',
    `${versionText('text', release)}, Node.js ${process.version} on ${process.platform}/${process.arch}`,
  ),
  ...NOTED_VARIABLES.filter((name) => (environment[name] ?? '') !== '').map((name) =>
    finding('version', 'note', `${name} is set, and changes how Node.js runs this program`),
  ),
];

/** Whether a server would accept the flags, and the files that they name. */
export const checkFlags: Check = async ({ options }): Promise<Finding[]> => {
  const given = Object.keys(options).length;
  try {
    const { values, warnings } = configureServer(options);
    await checkDocuments(values);
    return [
      finding('flags', 'ok', given === 0 ? 'none are given' : `${given} given, all accepted`),
      ...warnings.map((warning) => finding('flags', 'warning', warning)),
    ];
  } catch (error) {
    return [finding('flags', 'problem', (error as Error).message, 'see binnacle help, or docs/flags.md')];
  }
};

/** How many files the process may open: each connection is one. */
export const checkLimits: Check = () => {
  const limit = openFilesLimit();
  if (limit === undefined) return [];
  return [
    limit < LEAST_FILES
      ? finding(
          'limits',
          'warning',
          `${limit} files may be open, one for each connection`,
          'raise it: ulimit -n 4096',
        )
      : finding(
          'limits',
          'ok',
          `${limit === Number.POSITIVE_INFINITY ? 'any number of' : limit} files may be open`,
        ),
  ];
};

/** The soft limit of this process; undefined where the system does not tell. */
function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))!;
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return undefined;
  }
}
