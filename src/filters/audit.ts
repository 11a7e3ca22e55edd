import { BodyAbortedError } from '../connection/exchange.ts';
import type { Attributes } from '../request/attributes.ts';
import type { Auditor, StagedAuditRecord } from '../request/audit.ts';
import { type Filter, type RequestContext, whenEnded } from '../request/context.ts';
import type { UserInfo } from '../request/user.ts';
import { errors } from '../status/index.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { AuditedExchange } from './audited-exchange.ts';
import { toApiError } from './errors.ts';
import { isLongRunning } from './long-running.ts';

/** The three audit filters of the chain. */
export interface AuditFilters {
  /** Outside the error filter: ends the record of every request. */
  readonly end: Filter;
  /** Around authentication: records requests that are rejected before their user is known. */
  readonly refusal: Filter;
  /** After authentication: begins the record. @throws ApiError 500 if a blocking backend rejects the event */
  readonly begin: Filter;
}

/** Creates the filters that record requests for the auditor. */
export function auditFilters(auditor: Auditor): AuditFilters {
  const records = new WeakMap<RequestContext, StagedAuditRecord | undefined>();

  const start = (context: RequestContext, user: UserInfo | undefined): StagedAuditRecord | undefined => {
    const record = auditor.begin({
      context,
      exchange: context.exchange,
      attributes: subjectOf(context, user),
      longRunning: isLongRunning(context.info),
    });
    records.set(context, record);
    if (record === undefined) return undefined;
    context.audit = record;
    context.exchange = new AuditedExchange(context.exchange, (status, whole) =>
      record.responseStarted(status, whole),
    );
    return record;
  };

  return {
    end: (context, next) => whenEnded(next, context, () => void records.get(context)?.responseComplete()),

    refusal: (context, next) =>
      catching(
        () => next(context),
        (error) => {
          if (!records.has(context)) start(context, undefined);
          throw error;
        },
      ),

    begin(context, next) {
      const record = start(context, context.user);
      if (record === undefined) return next(context);
      const proceed = (kept: boolean): MaybePromise<void> => {
        if (!kept) {
          auditor.countRejection();
          throw errors.internal('failed to store audit event');
        }
        return catching(
          () => next(context),
          (error) => {
            // An error that is not an API error is a defect of the server.
            const isInternal = toApiError(error) === undefined && !(error instanceof BodyAbortedError);
            const recorded = isInternal ? record.panicked(error) : undefined;
            if (recorded instanceof Promise) return recorded.then(() => Promise.reject(error));
            throw error;
          },
        );
      };
      const kept = record.requestReceived();
      return kept instanceof Promise ? kept.then(proceed) : proceed(kept);
    },
  };
}

/** Calls `failed` with an error that `action` throws or rejects with. */
function catching(
  action: () => MaybePromise<void>,
  failed: (error: unknown) => MaybePromise<void>,
): MaybePromise<void> {
  try {
    const result = action();
    return result instanceof Promise ? result.catch(failed) : undefined;
  } catch (error) {
    return failed(error);
  }
}

function subjectOf(
  { info }: RequestContext,
  user: UserInfo | undefined,
): Omit<Attributes, 'user'> & { user: UserInfo | undefined } {
  const { isResource, path, verb, group, version, resource, subresource, namespace, name } = info;
  return { user, verb, isResource, path, group, version, resource, subresource, namespace, name };
}
