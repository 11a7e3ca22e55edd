import type { AuditBackend, ReportLoss } from './backend.ts';
import { type AuditEvent, eventJson } from './event.ts';

export interface WebhookOptions {
  /** Posts JSON; resolves with the response status, rejects without a response. */
  readonly post: (body: string) => Promise<{ readonly status: number }>;
  /** Milliseconds before the first retry. */
  readonly initialBackoff: number;
  readonly report: ReportLoss;
  readonly random: () => number;
  /** Resolves after some milliseconds, or at once when the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Closes connections. */
  readonly release: () => void;
}

/** Maximum attempts per batch, as in kube-apiserver. */
const ATTEMPTS = 5;
const FACTOR = 1.5;
const JITTER = 0.2;

/** Posts lists of events to a webhook and retries failures with exponential back-off. */
export function webhookBackend({
  post,
  initialBackoff,
  report,
  random,
  wait,
  release,
}: WebhookOptions): AuditBackend {
  const closing = new AbortController();
  const send = async (events: readonly AuditEvent[]): Promise<boolean> => {
    const items = events.map((event) => eventJson(event, false)).join(',');
    const body = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${items}]}\n`;
    let delay = initialBackoff;
    for (let attempt = 1; ; attempt += 1) {
      const failure = await attemptPost(post, body);
      if (failure === undefined) return true;
      // During shutdown there is one more attempt, without delay.
      if (attempt === ATTEMPTS || closing.signal.aborted) {
        report('webhook', failure, events.length);
        return false;
      }
      await wait(delay * (1 + JITTER * random()), closing.signal);
      delay *= FACTOR;
    }
  };
  return {
    process: send,
    close: async () => {
      closing.abort();
      release();
    },
  };
}

async function attemptPost(post: WebhookOptions['post'], body: string): Promise<string | undefined> {
  try {
    const { status } = await post(body);
    return status >= 200 && status < 300 ? undefined : `the webhook responded with status ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}
