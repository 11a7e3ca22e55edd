import { parseJson } from '../codec/json-parse.ts';
import { writePlain } from '../codec/json-plain.ts';
import { sentTarget } from '../connection/exchange.ts';
import type { AuditedIdentity, AuditedStatus, AuditSubject, StagedAuditRecord } from '../request/audit.ts';
import type { UserInfo } from '../request/user.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { processClock } from '../time/clock.ts';
import type { AuditEvent, AuditObjectReference, AuditStage } from './event.ts';
import { latencyAnnotations } from './latency.ts';
import type { AuditDecision } from './policy.ts';
import { sourceAddresses } from './source-addresses.ts';
import { TRUNCATED_ANNOTATION } from './truncate.ts';

/** Maximum bytes of a recorded body, whatever the policy level. */
const MAXIMUM_BODY_LENGTH = 8 << 20;
const MAXIMUM_AGENT_LENGTH = 1024;
/** Status of a request whose client disconnected before the response. */
const CLOSED_EARLY: AuditedStatus = { status: 'Success', message: 'Connection closed early', code: 200 };

/** Emits an event; returns whether it was accepted. */
export type EmitEvent = (event: AuditEvent) => MaybePromise<boolean>;

/** The audit record of one request: collects its data and emits an event for each stage. */
export class RequestRecord implements StagedAuditRecord {
  readonly recordsRequestBody: boolean;
  readonly recordsResponseBody: boolean;
  readonly #subject: AuditSubject;
  readonly #decision: AuditDecision;
  readonly #emit: EmitEvent;
  readonly #now: () => number;
  readonly #received: number;
  readonly #sourceIPs: readonly string[];
  #impersonated: UserInfo | undefined;
  #constraint: string | undefined;
  #reference: AuditObjectReference | undefined;
  #status: AuditedStatus | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #started = false;
  #complete = false;

  /** @param now wall clock in milliseconds, with a fraction */
  constructor(subject: AuditSubject, decision: AuditDecision, emit: EmitEvent, now: () => number) {
    this.#subject = subject;
    this.#decision = decision;
    this.#emit = emit;
    this.#now = now;
    this.#received = now() - (processClock.monotonic() - subject.context.arrived);
    this.#sourceIPs = sourceAddresses(subject.exchange);
    this.recordsRequestBody = decision.level === 'Request' || decision.level === 'RequestResponse';
    this.recordsResponseBody = decision.level === 'RequestResponse';
    const { isResource, resource, namespace, name, group, version, subresource } = subject.attributes;
    if (isResource)
      this.#reference = {
        resource,
        namespace,
        name,
        uid: '',
        apiGroup: group,
        apiVersion: version,
        resourceVersion: '',
        subresource,
      };
  }

  setImpersonatedUser(user: UserInfo, constraint?: string): void {
    this.#impersonated = user;
    this.#constraint = constraint;
  }

  setObjectIdentity({ namespace = '', name = '', uid = '', resourceVersion = '' }: AuditedIdentity): void {
    const known = this.#reference;
    if (known === undefined) return;
    this.#reference = {
      ...known,
      namespace: known.namespace || namespace,
      name: known.name || name,
      uid: known.uid || uid,
      resourceVersion: known.resourceVersion || resourceVersion,
    };
  }

  setRequestBody(json: string): void {
    if (!this.recordsRequestBody || this.#requestObject !== undefined) return;
    if (json.length > MAXIMUM_BODY_LENGTH) this.#markTruncated();
    else this.#requestObject = this.#recordedBody(json);
  }

  setResponseStatus({ status, message, reason, details, code }: AuditedStatus): void {
    this.#status = { status, message, reason, details, code };
  }

  setResponseBody(json: string): void {
    if (!this.recordsResponseBody) return;
    if (json.length > MAXIMUM_BODY_LENGTH) this.#markTruncated();
    else this.#responseObject = this.#recordedBody(json);
  }

  omitResponseBody(): void {
    this.#markTruncated();
  }

  requestReceived(): MaybePromise<boolean> {
    return this.#stage('RequestReceived', this.#received);
  }

  responseStarted(code: number, whole: boolean): MaybePromise<boolean> {
    if (this.#started || this.#complete) return true;
    this.#started = true;
    this.#status = { ...this.#status, code };
    const { longRunning, attributes } = this.#subject;
    // A request that fails authentication has only one event: ResponseStarted.
    const rejected = attributes.user === undefined;
    const started = longRunning || rejected ? this.#stage('ResponseStarted', this.#now()) : true;
    if (rejected) this.#complete = true;
    if (!whole || this.#complete) return started;
    return started instanceof Promise ? started.then(() => this.responseComplete()) : this.responseComplete();
  }

  panicked(error: unknown): MaybePromise<boolean> {
    if (this.#complete) return true;
    this.#complete = true;
    const text = error instanceof Error ? error.message : String(error);
    this.#status = {
      status: 'Failure',
      reason: 'InternalError',
      message: `APIServer panic'd: ${text}`,
      code: 500,
    };
    return this.#stage('Panic', this.#now());
  }

  responseComplete(): MaybePromise<boolean> {
    if (this.#complete) return true;
    this.#complete = true;
    if (this.#status === undefined) {
      this.#status = CLOSED_EARLY;
      if (this.#subject.longRunning) void this.#stage('ResponseStarted', this.#now());
    }
    const now = this.#now();
    const { context, longRunning } = this.#subject;
    if (!longRunning)
      for (const [key, value] of latencyAnnotations(context.span, now - this.#received))
        context.annotations.set(key, value);
    return this.#stage('ResponseComplete', now);
  }

  #stage(stage: AuditStage, staged: number): MaybePromise<boolean> {
    if (this.#decision.omitStages.has(stage)) return true;
    const { context, exchange, attributes } = this.#subject;
    const agent = exchange.header('user-agent') ?? '';
    return this.#emit({
      stage,
      staged,
      level: this.#decision.level,
      auditID: context.auditId,
      requestURI: sentTarget(exchange),
      verb: attributes.verb,
      user: attributes.user,
      impersonatedUser: this.#impersonated,
      impersonationConstraint: this.#constraint,
      sourceIPs: this.#sourceIPs,
      userAgent:
        agent.length > MAXIMUM_AGENT_LENGTH ? `${agent.slice(0, MAXIMUM_AGENT_LENGTH)}...TRUNCATED` : agent,
      objectRef: this.#reference,
      responseStatus: this.#status,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      received: this.#received,
      annotations: new Map(context.annotations),
    });
  }

  #markTruncated(): void {
    this.#subject.context.annotations.set(TRUNCATED_ANNOTATION, 'true');
  }

  /** The recorded form of a body, without managed fields if the policy omits them. */
  #recordedBody(json: string): string {
    return this.#decision.omitManagedFields && json.includes('"managedFields"')
      ? withoutManagedFields(json)
      : json.trimEnd();
  }
}

type Plain = { metadata?: { managedFields?: unknown }; items?: unknown; rows?: unknown; object?: unknown };

function withoutManagedFields(json: string): string {
  const { value } = parseJson(Buffer.from(json));
  const strip = (object: unknown): void => {
    if (typeof object !== 'object' || object === null) return;
    const { metadata } = object as Plain;
    if (typeof metadata === 'object' && metadata !== null) delete metadata.managedFields;
  };
  strip(value);
  const { items, rows } = (value ?? {}) as Plain;
  if (Array.isArray(items)) items.forEach(strip);
  if (Array.isArray(rows)) for (const row of rows) strip((row as Plain | null)?.object);
  return writePlain(value);
}
