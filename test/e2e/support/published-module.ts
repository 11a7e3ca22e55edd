import { spawnSync } from 'node:child_process';

const MAXIMUM_MILLISECONDS = 60_000;

/**
 * Returns the directory of a published Go module, which is downloaded if it is not in the module cache, or the
 * reason why it cannot be had: Go is not installed, or the module proxy is not reached.
 * @param module such as `sigs.k8s.io/gateway-api@v1.6.3`
 */
export function publishedModule(
  module: string,
): { readonly directory: string } | { readonly missing: string } {
  const { status, stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd: '/',
    encoding: 'utf8',
    timeout: MAXIMUM_MILLISECONDS,
  });
  if (status !== 0) return { missing: `${module}: ${error?.message ?? (stdout.trim() || stderr.trim())}` };
  return { directory: (JSON.parse(stdout) as { Dir: string }).Dir };
}
