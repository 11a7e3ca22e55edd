import type { Logger } from '../observability/log.ts';
import { type Storage, StorageUnavailableError } from '../storage/storage.ts';
import { holdingClock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import type { RequestGate } from './request-gate.ts';

/** Between attempts, in milliseconds; an attempt has the timeout of the readiness check. */
const PAUSE = 1000;

/**
 * Waits until a store in other processes answers; logs each failed attempt. Meanwhile the gate answers health
 * checks.
 * @param isOver whether to give up
 */
export async function waitForStorage(
  storage: Storage,
  gate: RequestGate,
  logger: Logger,
  isOver: () => boolean = () => false,
): Promise<void> {
  if (storage.immediate !== undefined) return;
  gate.waitFor('etcd');
  while (!isOver()) {
    const problem = await storage.health('ready');
    if (!(problem instanceof StorageUnavailableError)) break;
    logger.warn('waiting for the storage', { err: problem.message });
    await pause(PAUSE, holdingClock);
  }
  gate.storageAnswers();
}
