import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Who writes a data file, as recorded in it. Every commit is conditional on the epoch, so a process that was taken for
 * dead and replaced cannot write any more.
 */
export interface Owner {
  /** Random; unique to one opening. */
  readonly epoch: number;
  readonly pid: number;
  /** Start time of the process in clock ticks since boot; '' where the system does not tell. */
  readonly started: string;
  /** Identity of the running system and of the process namespace that `pid` belongs to. */
  readonly system: string;
  /** Device and inode of the data file: a copy of the file is owned by nobody. */
  readonly file: string;
  /** The owner has closed the file. */
  readonly released?: boolean;
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Field 22 of the process's stat line; the command before it is in parentheses and may hold anything. */
function startTime(pid: number): string {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function systemIdentity(): string {
  return `${attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim()} ${attempt(() => readlinkSync('/proc/self/ns/pid'))}`;
}

/** This process as an owner of `file`. */
export function thisProcess(epoch: number, file: string): Owner {
  return { epoch, pid: process.pid, started: startTime(process.pid), system: systemIdentity(), file };
}

/**
 * Whether the recorded owner of `file` still runs. An owner in another process namespace or from before a reboot cannot be
 * seen from here and counts as gone; should it live after all, its next commit fails on the epoch.
 */
export function isAlive(owner: Owner, file: string): boolean {
  if (owner.released || owner.file !== file || owner.system !== systemIdentity()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return owner.started === startTime(owner.pid);
}
