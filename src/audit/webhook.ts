import type { AuditBackend, ReportLoss } from './backend.ts';
import { type AuditEvent, eventJson } from './event.ts';

export interface WebhookOptions {
  /** Posts JSON; resolves with the status of the answer, rejects when there is none. */
  readonly post: (body: string) => Promise<{ readonly status: number }>;
  /** Milliseconds before the first retry. */
  readonly initialBackoff: number;
  readonly report: ReportLoss;
  readonly random: () => number;
  /** Resolves after some milliseconds, or at once when the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Lets go of connections. */
  readonly release: () => void;
}

/** Calls in all before a batch is given up, as with the reference. */
const ATTEMPTS = 5;
const FACTOR = 1.5;
const JITTER = 0.2;

/** Sends lists of events to a server. Whatever fails is tried again, each time later. */
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
      const failure = await outcome(post, body);
      if (failure === undefined) return true;
      // Who stops tries once more, but doesn't wait for it.
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

async function outcome(post: WebhookOptions['post'], body: string): Promise<string | undefined> {
  try {
    const { status } = await post(body);
    return status >= 200 && status < 300 ? undefined : `the webhook answered ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}
