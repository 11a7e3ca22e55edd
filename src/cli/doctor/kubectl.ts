import { type Check, finding } from './finding.ts';

/** kubectl is supported within one minor version of the server. */
const SKEW = 1;

/** Whether kubectl is there, and of a version that fits. */
export const checkKubectl: Check = async ({ run, environment, release }) => {
  const { code, out } = await run('kubectl', 'version', '--client', '--output=json');
  const notes =
    (environment['KUBECONFIG'] ?? '') === ''
      ? []
      : [
          finding(
            'kubectl',
            'note',
            `KUBECONFIG is ${environment['KUBECONFIG']}: kubectl talks to the server named there unless --kubeconfig is given`,
          ),
        ];
  if (code === undefined)
    return [
      finding(
        'kubectl',
        'warning',
        'kubectl is not on the PATH',
        'install it from https://kubernetes.io/docs/tasks/tools/, or use another client',
      ),
      ...notes,
    ];
  const { gitVersion, minor } =
    /"gitVersion": ?"(?<gitVersion>v1\.(?<minor>\d{1,3})[^"]{0,60})"/.exec(out)?.groups ?? {};
  if (gitVersion === undefined)
    return [
      finding('kubectl', 'warning', `kubectl version --client ends with ${code} and names no version`),
      ...notes,
    ];
  const distance = Number(minor) - Number(/^v?1\.(\d+)/.exec(release.gitVersion)![1]);
  return [
    Math.abs(distance) <= SKEW
      ? finding('kubectl', 'ok', gitVersion)
      : finding(
          'kubectl',
          'warning',
          `${gitVersion} is ${Math.abs(distance)} minor versions ${distance > 0 ? 'newer' : 'older'} than the server (${release.gitVersion}), which kubectl does not support`,
          'use a kubectl within one minor version',
        ),
    ...notes,
  ];
};
