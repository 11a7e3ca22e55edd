import { AnswerTooLargeError, GRPC, GrpcError } from '../../grpc/grpc.ts';
import {
  OutcomeUnknownError,
  OutOfSpaceError,
  StorageUnavailableError,
  ValueTooLargeError,
} from '../storage.ts';

/** What the failure of one attempt says about the request. */
export interface Failure {
  /** The request had no effect and will have none. */
  readonly refused: boolean;
  /** The request may succeed when it is sent again. */
  readonly retry: boolean;
  /** The endpoint should be left. */
  readonly leave: boolean;
}

const REFUSED: Failure = { refused: true, retry: true, leave: true };
const BUSY: Failure = { refused: true, retry: true, leave: false };
const AMBIGUOUS: Failure = { refused: false, retry: true, leave: true };
const FINAL: Failure = { refused: true, retry: false, leave: false };

/** Messages that etcd sends before it proposes a change. */
const REFUSALS = [
  'etcdserver: no leader',
  'etcdserver: not leader',
  'etcdserver: unhealthy cluster',
  'etcdserver: rpc not supported for learner',
];

export function classify(error: GrpcError): Failure {
  if (!error.sent) return REFUSED;
  if (!error.answered) return AMBIGUOUS;
  switch (error.status) {
    case GRPC.unavailable:
    case GRPC.failedPrecondition:
      return REFUSALS.some((text) => error.message.startsWith(text)) ? REFUSED : AMBIGUOUS;
    case GRPC.resourceExhausted:
      return error.message.includes('too many requests') ? BUSY : FINAL;
    case GRPC.cancelled:
    case GRPC.unknown:
    case GRPC.deadlineExceeded:
    case GRPC.internal:
      return AMBIGUOUS;
    default:
      return FINAL;
  }
}

export const isCompacted = (error: unknown): boolean => isOutOfRange(error, 'compacted');
export const isFuture = (error: unknown): boolean => isOutOfRange(error, 'future revision');
export const isLeaseNotFound = (error: unknown): boolean =>
  error instanceof GrpcError && error.answered && error.message.includes('lease not found');

/** The answer of a read is larger than what the client accepts. */
export const isAnswerTooLarge = (error: unknown): boolean => error instanceof AnswerTooLargeError;

function isOutOfRange(error: unknown, text: string): boolean {
  return error instanceof GrpcError && error.status === GRPC.outOfRange && error.message.includes(text);
}

/** The storage port's error for a call that certainly had no effect. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof GrpcError) || error instanceof AnswerTooLargeError) return error;
  if (error.message.includes('database space exceeded'))
    return new OutOfSpaceError(
      'etcd has no space left (alarm NOSPACE): compact and defragment it, or raise --quota-backend-bytes of etcd, ' +
        'then disarm the alarm (etcdctl alarm disarm)',
    );
  if (error.message.includes('request is too large') || error.message.includes('message larger than max'))
    return new ValueTooLargeError(`etcd does not accept the object: ${error.message}`);
  return new StorageUnavailableError(`etcd cannot process the request: ${error.message}`);
}

/** The error of a change whose outcome could not be found out in time. */
export function outcomeUnknown(cause: unknown): OutcomeUnknownError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OutcomeUnknownError(
    `etcd did not confirm the change in time, and its outcome is unknown: ${reason}; read the object before you try again`,
    true,
  );
}
