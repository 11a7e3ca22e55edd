import type { ControllerRevision } from '../../model/generated/apps-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';

export const numberOf = ({ revision = 0 }: ControllerRevision): number => Number(revision);

const createdAt = ({ metadata }: ControllerRevision): number =>
  metadata?.creationTimestamp ? timeToMilliseconds(metadata.creationTimestamp) : 0;

/** The lowest number first, of equal ones the oldest. */
export const byNumber = (one: ControllerRevision, other: ControllerRevision): number =>
  numberOf(one) - numberOf(other) ||
  createdAt(one) - createdAt(other) ||
  ((one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? -1 : 1);

/** The number of a revision that comes after others. */
export const nextNumber = (revisions: readonly ControllerRevision[]): number =>
  revisions.reduce((highest, revision) => Math.max(highest, numberOf(revision)), 0) + 1;
