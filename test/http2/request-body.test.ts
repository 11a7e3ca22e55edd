import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestBody } from '../../src/http2/request-body.ts';
import { bodyAccount } from './support.ts';

const WINDOW = 64;
const READING_WINDOW = 256;
const step = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 40 }) },
  { weight: 4, arbitrary: fc.constantFrom('account', 'read', 'complete', 'close', 'refuse', 'stop') },
);

/** A body, what is expected of it, and what it did. */
class Case {
  readonly credits: number[] = [];
  readonly account = bodyAccount(150);
  readonly ends: boolean[] = [];
  unread = 0;
  received = '';
  sent = '';
  hasAccount = false;
  isRead = false;
  isOver = false;
  readonly body = new RequestBody(
    {
      creditStream: (bytes) => this.credits.push(bytes),
      countUnread: (change) => {
        this.unread += change;
      },
    },
    WINDOW,
    READING_WINDOW,
  );

  /** Bytes that the client may send. */
  get window(): number {
    return WINDOW + this.credits.reduce((sum, bytes) => sum + bytes, 0) - this.sent.length;
  }

  send(most: number): void {
    const bytes = Math.min(most, this.window);
    if (bytes <= 0 || this.isOver) return;
    const text = String.fromCharCode(97 + (this.sent.length % 26)).repeat(bytes);
    expect(this.body.charge(bytes, bytes)).toBe(true);
    this.sent += text;
    this.body.push(Buffer.from(`[${text}]`), 1, bytes + 1);
  }

  run(what: string, expected: number | undefined): void {
    const { body, account } = this;
    if (what === 'account' && !this.hasAccount) {
      this.hasAccount = true;
      body.countIn(account);
    } else if (what === 'read' && !this.isRead) {
      this.isRead = true;
      body.deliver(
        {
          onChunk: (chunk, isCounted) => {
            this.received += chunk.toString();
            if (isCounted) expect(account.held).toBe(chunk.length);
          },
          onEnd: (isComplete) => this.ends.push(isComplete),
        },
        expected,
      );
    } else if (what === 'refuse' || (what === 'stop' && this.isRead)) body[what]();
    else if ((what === 'complete' || what === 'close') && !this.isOver) {
      this.isOver = true;
      body[what]();
    }
  }
}

test('bytes are counted once while nobody has read them, and a reader gets all of them or an error', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.option(fc.nat({ max: 400 })), (steps, declared) => {
      const one = new Case();
      const { body, account } = one;
      let isStopped = false;
      for (const next of steps) {
        if (typeof next === 'number') one.send(next);
        else one.run(next, declared ?? undefined);
        isStopped ||= next === 'stop' && one.isRead;
        const held = one.isRead || body.isRefused || body.isAborted ? 0 : one.sent.length;
        expect([one.unread, one.isRead ? 0 : account.held]).toEqual(one.hasAccount ? [0, held] : [held, 0]);
        expect(one.sent.startsWith(one.received)).toBe(true);
        if (one.isOver || body.isRefused) {
          if (one.isRead && !isStopped) expect(one.ends).toHaveLength(1);
          if (one.ends[0] === true) expect([body.isComplete, one.received]).toEqual([true, one.sent]);
          else expect(body.isRefused || body.isAborted || !one.isRead || isStopped).toBe(true);
        } else {
          expect(one.ends).toEqual([]);
          // A body that is read never waits for its window.
          if (one.isRead) expect(one.window).toBeGreaterThan(0);
        }
      }
      if (one.hasAccount && body.isComplete && !body.isRefused) expect(account.isComplete).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});
