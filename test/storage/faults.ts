import {
  type Environment,
  type OpenEnvironment,
  openEnvironment,
} from '../../src/storage/embedded/environment.ts';

/** Failure mode of the next commits: before anything is written, or after everything is written. */
export type Fault = 'before' | 'after';

/** Opens real data files whose commits fail on demand. */
export class FaultyDisk {
  /** Failures of the next commits, in order. */
  faults: Fault[] = [];
  opened = 0;
  /** Makes the next open fail. */
  refuseOpening = false;
  /** Commits wait for this before they start. */
  stalled: Promise<void> | undefined;
  error: Error = Object.assign(new Error('Input/output error'), { code: 5 });

  readonly open: OpenEnvironment = async (path, options) => {
    if (this.refuseOpening) throw new Error('No such device');
    this.opened += 1;
    const environment = await openEnvironment(path, options);
    const { live, log, deleted, leases, meta } = environment;
    let failed = false;
    return {
      live,
      log,
      deleted,
      leases,
      meta,
      owner: () => environment.owner(),
      claim: (...claim) => environment.claim(...claim),
      commit: async (epoch, write) => {
        if (failed) throw new Error('a second commit in a failed environment');
        const fault = this.faults.shift();
        failed = fault !== undefined;
        await this.stalled;
        if (fault === 'before') throw this.error;
        const written = await environment.commit(epoch, write);
        if (fault === 'after') throw this.error;
        return written;
      },
      usage: () => environment.usage(),
      backup: (target, compact) => environment.backup(target, compact),
      close: () => environment.close(),
    } satisfies Environment;
  };
}
