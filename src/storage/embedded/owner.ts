import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * The process that writes a data file, as recorded in it. Every commit is conditional on the epoch, so a
 * process that was presumed dead and replaced cannot write any more.
 */
export interface Owner {
  /** Random; unique to one opening. */
  readonly epoch: number;
  readonly pid: number;
  /** Start time of the process in clock ticks since boot; '' where the system does not report it. */
  readonly started: string;
  /** Identity of the running system and of the process namespace that `pid` belongs to. */
  readonly system: string;
  /** Device and inode of the data file: a copy of the file has no owner. */
  readonly file: string;
  /** The owner has closed the file. */
  readonly released?: boolean;
}

/** Matches any file, while the owner replaces the file with a copy. */
export const anyFile = 'any';

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

interface ProcessStatus {
  /** One letter: R, S, D, T, Z (zombie), X (dead); '' when there is no such process. */
  readonly state: string;
  /** Start time in clock ticks since boot. */
  readonly started: string;
}

/**
 * Fields 3 and 22 of the process's stat line; the command before them is in parentheses and may contain
 * anything.
 */
function statusOf(pid: number): ProcessStatus {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

/**
 * Whether the process is a zombie without threads. Its main thread ends first: while other threads exist, the
 * kernel may still complete a write.
 */
function isZombie(pid: number, { state }: ProcessStatus): boolean {
  if (state === 'X' || state === 'x') return true;
  return state === 'Z' && attempt(() => readdirSync(`/proc/${pid}/task`).join()) === String(pid);
}

function systemIdentity(): string {
  return `${attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim()} ${attempt(() => readlinkSync('/proc/self/ns/pid'))}`;
}

/** This process as an owner of `file`. */
export function thisProcess(epoch: number, file: string): Owner {
  return { epoch, pid: process.pid, started: statusOf(process.pid).started, system: systemIdentity(), file };
}

/**
 * Whether the recorded owner of `file` still runs. A zombie does not, and another process with the same id
 * has another start time. An owner in another process namespace or from before a reboot cannot be observed
 * and counts as dead; if it is alive after all, its next commit fails on the epoch.
 */
export function isAlive(owner: Owner, file: string): boolean {
  if (owner.released || (owner.file !== file && owner.file !== anyFile) || owner.system !== systemIdentity())
    return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const status = statusOf(owner.pid);
  return owner.started === status.started && !isZombie(owner.pid, status);
}
