import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupDataDirectory } from '../../../src/files/data-directory.ts';
import { startServer } from '../../../src/server.ts';
import { backupDirectory } from '../../../src/storage/embedded/index.ts';
import { temporaryDirectory } from '../../storage/temporary.ts';
import { recordedDirectory } from './recorded-values.ts';

/** Starts a server on a directory, stops it, and returns the version that it served and its log. */
async function serve(dataDir: string, kubernetesVersion?: string): Promise<{ version: string; log: string }> {
  let log = '';
  const server = await startServer(
    { dataDir, kubernetesVersion, securePort: 0, controllers: ['-*'], kubeconfigOut: '' },
    {
      log: (line) => {
        log += line;
      },
    },
  );
  const { version } = server.readyLine;
  await server.stop();
  return { version, log };
}

const recordOf = (directory: string) => readFileSync(join(directory, 'kubernetes-version'), 'utf8');

describe('a data directory', () => {
  it('is served under the minor under which it was written, and so is its backup', async () => {
    const directory = temporaryDirectory();
    expect((await serve(directory, '1.34')).version).toBe('1.34.4');
    expect(recordOf(directory)).toBe('1.34\n');
    const again = await serve(directory);
    expect(again.version).toBe('1.34.4');
    expect(again.log).toContain('serving the Kubernetes version under which the data were written');
    const backup = join(temporaryDirectory(), 'backup');
    await backupDataDirectory(directory, backup, backupDirectory, { source: '', target: '' });
    expect((await serve(backup)).version).toBe('1.34.4');
  });

  it('is upgraded by any number of minors, and downgraded by one at a time', async () => {
    const directory = temporaryDirectory();
    expect((await serve(directory)).version).toBe('1.32.13');
    const upgraded = await serve(directory, '1.34');
    expect(upgraded.log).toMatch(
      /served under another Kubernetes version than before.* from="1.32" to="1.34"/,
    );
    await expect(serve(directory, '1.32')).rejects.toThrow(
      `${directory} was written under Kubernetes 1.34 and cannot be served under 1.32, since a downgrade goes back by one minor: start it with --kubernetes-version=1.33 first, or restore a backup that was written under 1.32`,
    );
    expect((await serve(directory)).version).toBe('1.34.4');
    expect((await serve(directory, '1.33')).version).toBe('1.33.13');
    expect((await serve(directory, '1.32')).version).toBe('1.32.13');
  });

  it('with objects that the minor before cannot read is refused, and stays as it is', async () => {
    const directory = await recordedDirectory();
    writeFileSync(join(directory, 'kubernetes-version'), '1.33\n');
    await expect(serve(directory, '1.32')).rejects.toThrow(
      `${directory} has 5 objects that Kubernetes 1.32 cannot read ("/registry/deviceclasses/a", "/registry/ipaddresses/192.168.9.9", "/registry/leasecandidates/default/a", "/registry/resourceclaims/default/a", "/registry/servicecidrs/a"): start it with --kubernetes-version=1.33 and delete them, or go on serving 1.33`,
    );
    expect(recordOf(directory)).toBe('1.33\n');
    expect((await serve(directory)).version).toBe('1.33.13');
  });
});
