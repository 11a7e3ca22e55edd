import { formatDuration } from '../../model/duration.ts';
import type { Endpoint } from '../../outbound/endpoint.ts';
import { createHttpClient, OutboundError } from '../../outbound/http-client.ts';
import { WEBHOOK_BACKOFF, withRetries } from '../../outbound/retries.ts';
import {
  type ReviewSpec,
  type ReviewStatus,
  type ReviewVersion,
  readReviewStatus,
  reviewDocument,
} from './review.ts';

/** How one try to ask a webhook ended. */
export type AttemptResult = 'success' | 'timeout' | 'error';

/** No decision could be had from a webhook. */
export class WebhookError extends Error {
  override name = 'WebhookError';
  constructor(
    message: string,
    /** How the last try ended. */
    readonly result: Exclude<AttemptResult, 'success'>,
    readonly isTransient: boolean,
  ) {
    super(message);
  }
}

export interface AccessReviewClientOptions {
  readonly endpoint: Endpoint;
  /** Milliseconds for one try. */
  readonly timeout: number;
  readonly version: ReviewVersion;
  readonly userAgent: string;
  /** Told of each try, with its seconds. */
  observe(result: AttemptResult, seconds: number): void;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly random?: () => number;
}

/** Asks a webhook for decisions. */
export interface AccessReviewClient {
  /** Rejects with WebhookError when every try failed. */
  review(spec: ReviewSpec): Promise<ReviewStatus>;
  close(): void;
}

const LARGEST_ANSWER = 1 << 20;
const SHOWN_TEXT = 1024;

const sleepReally = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

/** A client that tries again where the webhook, or the way to it, failed for a moment. */
export function createAccessReviewClient(options: AccessReviewClientOptions): AccessReviewClient {
  const {
    endpoint,
    timeout,
    version,
    userAgent,
    observe,
    sleep = sleepReally,
    random = Math.random,
  } = options;
  const http = createHttpClient(endpoint, { timeout, maximumBytes: LARGEST_ANSWER });
  const path = `?timeout=${formatDuration(BigInt(Math.round(timeout * 1e6)))}`;
  const url = JSON.stringify(endpoint.server.replace(/\/$/, '') + path);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, */*',
    'user-agent': userAgent,
  };

  const ask = async (body: Buffer): Promise<ReviewStatus> => {
    const begun = performance.now();
    const done = (result: AttemptResult) => observe(result, (performance.now() - begun) / 1000);
    try {
      const {
        status,
        headers: received,
        body: content,
      } = await http.send({ method: 'POST', path, headers, body });
      if (status < 200 || status > 206)
        throw statusError(status, content.toString(), received['retry-after'] !== undefined);
      const decision = readAnswer(content, version);
      done('success');
      return decision;
    } catch (error) {
      const known = error instanceof WebhookError ? error : connectionError(url, endpoint, error);
      done(known.result);
      throw known;
    }
  };
  return {
    review(spec) {
      const body = Buffer.from(JSON.stringify(reviewDocument(spec, version)));
      const isTransient = (error: unknown) => error instanceof WebhookError && error.isTransient;
      return withRetries(() => ask(body), { backoff: WEBHOOK_BACKOFF, isTransient, sleep, random });
    },
    close: () => http.close(),
  };
}

function readAnswer(content: Buffer, version: ReviewVersion): ReviewStatus {
  let answer: unknown;
  try {
    answer = JSON.parse(content.toString());
  } catch {
    const fault =
      content.length === 0
        ? 'unexpected end of JSON input'
        : `invalid character ${quoted(content.toString())} looking for beginning of value`;
    throw new WebhookError(`couldn't get version/kind; json parse error: ${fault}`, 'error', false);
  }
  try {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
      throw new Error('the webhook answered with something that is no object');
    return readReviewStatus(answer as Record<string, unknown>, version);
  } catch (error) {
    throw new WebhookError((error as Error).message, 'error', false);
  }
}

const quoted = (text: string): string => `'${String.fromCodePoint(text.trimStart().codePointAt(0) ?? 0)}'`;

/** The words of Kubernetes' clients, which operators search for. */
const STATUS_TEXTS: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [
    504,
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
]);

function statusError(status: number, content: string, later: boolean): WebhookError {
  const said = content.length > SHOWN_TEXT ? `${content.slice(0, SHOWN_TEXT)}…` : content;
  const unexpected =
    status >= 500
      ? `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`
      : `the server responded with the status code ${status} but did not return more information`;
  return new WebhookError(
    STATUS_TEXTS.get(status) ?? unexpected,
    status === 504 ? 'timeout' : 'error',
    later || status === 429 || status === 500 || status === 504,
  );
}

function connectionError(url: string, { server }: Endpoint, error: unknown): WebhookError {
  const { code, message } =
    error instanceof OutboundError ? error : { code: undefined, message: (error as Error).message };
  if (code === 'ETIMEDOUT')
    return new WebhookError(
      `Post ${url}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
      'timeout',
      false,
    );
  const { hostname, port, protocol } = new URL(server);
  const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const text =
    code === 'ECONNREFUSED'
      ? `dial tcp ${address}: connect: connection refused`
      : message.slice(message.indexOf(': ') + 2);
  return new WebhookError(`Post ${url}: ${text}`, 'error', code === 'ECONNRESET');
}
