import type { Duplex } from 'node:stream';
import type { Flushable, FlushQueue } from './flush-queue.ts';
import { BYTES_PER_TURN, MOST_CONTROL_BYTES } from './limits.ts';
import {
  Flag,
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  FrameType,
  INITIAL_WINDOW,
  LARGEST_WINDOW,
  writeFrameHead,
} from './protocol.ts';
import type { Http2Stream } from './stream.ts';
import { StreamQueue } from './stream-queue.ts';
import type { WriteBuffers } from './write-buffers.ts';

/** Idle sessions share these. */
const NO_FRAMES: Buffer[] = [];
const NO_STREAMS: Http2Stream[] = [];

/** `READY.then(f)` runs `f` after the current callback, and costs less than `process.nextTick(f)`. */
const READY = Promise.resolve();

/** From this many bytes on a response takes turns with those of other sessions. */
const BULK_BYTES = 64 * 1024;

/** What the sessions of a listener share for writing. */
export interface WriteResources {
  readonly flushes: FlushQueue;
  readonly buffers: WriteBuffers;
}

/** The session. */
export interface OutgoingOwner {
  /** Called when the client does not read its control frames. */
  onControlFlood(): void;
  /** Called when DATA was written. */
  onDataSent(bytes: number): void;
  /** Called after each write. */
  onFlushed(): void;
}

/**
 * Writes the frames of a session: one write per turn of the event loop, and none while the socket has not taken the
 * previous one. Control frames and response heads go first, then whole answers, then other streams in turn,
 * a frame of 16 kB each. Answers leave half of a full turn to other streams.
 */
export class Outgoing implements Flushable {
  /** Bytes of responses that are not sent, over all streams. */
  queuedBytes = 0;
  /** Bytes that the client accepts on the connection. */
  #window = INITIAL_WINDOW;
  readonly #socket: Duplex;
  readonly #resources: WriteResources;
  readonly #owner: OutgoingOwner;
  readonly #answers = new StreamQueue();
  readonly #streams = new StreamQueue();
  #control = NO_FRAMES;
  #controlBytes = 0;
  #ended = NO_STREAMS;
  /** Whether a write at the end of the turn is scheduled. */
  #isScheduled = false;
  /** Whether a write after the current callback is scheduled. */
  #isUrgent = false;
  #isBulkScheduled = false;
  /** The buffer of the write that the socket has not called back yet. */
  #writing: Buffer | undefined;
  #isStopped = false;

  constructor(socket: Duplex, resources: WriteResources, owner: OutgoingOwner) {
    this.#socket = socket;
    this.#resources = resources;
    this.#owner = owner;
  }

  /** Whether everything was passed to the socket. */
  get isIdle(): boolean {
    return this.#controlBytes === 0 && this.queuedBytes === 0 && this.#writing === undefined;
  }

  /** Queues a control frame, or a response head: they keep their order. */
  sendControl(frame: Buffer, isUrgent = false): void {
    if (this.#isStopped) return;
    if (this.#control === NO_FRAMES) this.#control = [frame];
    else this.#control.push(frame);
    this.#controlBytes += frame.length;
    if (this.#controlBytes > MOST_CONTROL_BYTES) this.#owner.onControlFlood();
    else this.#schedule(isUrgent);
  }

  /** The last frame of a stream is among those of the next write. */
  endAfterWrite(stream: Http2Stream): void {
    if (this.#ended === NO_STREAMS) this.#ended = [stream];
    else this.#ended.push(stream);
  }

  /** Queues a stream that has bytes to send. */
  enqueue(stream: Http2Stream, isUrgent: boolean): void {
    if (this.#isStopped || stream.isQueued || stream.sendWindow <= 0) return;
    (stream.isAnswer ? this.#answers : this.#streams).push(stream);
    if (stream.queuedBytes < BULK_BYTES) this.#schedule(isUrgent);
    else this.#scheduleBulk();
  }

  /** Adds to the connection's window; false if it becomes larger than the protocol allows. */
  widen(bytes: number): boolean {
    this.#window += bytes;
    if (this.#window > LARGEST_WINDOW) return false;
    if (!this.#answers.isEmpty || !this.#streams.isEmpty) this.#scheduleRest(false);
    return true;
  }

  /** Passes control frames to the socket at once, and drops the rest. */
  finish(): void {
    if (this.#controlBytes > 0 && this.#socket.writable) this.#socket.write(Buffer.concat(this.#control));
    this.stop();
  }

  /** Drops everything. */
  stop(): void {
    this.#isStopped = true;
    this.#control = NO_FRAMES;
    this.#controlBytes = 0;
    this.#ended = NO_STREAMS;
    this.#answers.clear();
    this.#streams.clear();
  }

  /**
   * An urgent write is done after the current callback, even if a write at the end of the turn is scheduled:
   * the response to a single request does not wait for other work of the turn.
   */
  #schedule(isUrgent: boolean): void {
    if (this.#writing !== undefined || this.#isUrgent) return;
    if (isUrgent) {
      this.#isUrgent = true;
      READY.then(this.#flushUrgent);
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.#resources.flushes.add(this);
    }
  }

  #scheduleBulk(): void {
    if (this.#writing !== undefined || this.#isUrgent || this.#isScheduled || this.#isBulkScheduled) return;
    this.#isBulkScheduled = true;
    this.#resources.flushes.addBulk(this);
  }

  #scheduleRest(isUrgent: boolean): void {
    if (this.queuedBytes < BULK_BYTES) this.#schedule(isUrgent);
    else this.#scheduleBulk();
  }

  readonly #flushUrgent = (): void => {
    this.#isUrgent = false;
    this.#flush();
  };

  flush(): void {
    this.#isScheduled = false;
    this.#flush();
  }

  flushBulk(): void {
    this.#isBulkScheduled = false;
    if (!this.#isScheduled && !this.#isUrgent) this.#flush();
  }

  #flush(): void {
    if (this.#writing !== undefined || this.#isStopped) return;
    const plan = this.#plan();
    const bytes = this.#controlBytes + plan.bytes;
    if (bytes === 0) {
      this.#endStreams();
      this.#owner.onFlushed();
      return;
    }
    const buffer = this.#resources.buffers.take(bytes);
    this.#writing = buffer;
    writePlan(plan, buffer, this.#writeControl(buffer));
    // What the ends of streams cause goes with them: RST_STREAM after an early response, or a GOAWAY.
    this.#endStreams();
    this.#write(buffer, bytes);
    for (const stream of plan.streams) stream.listener?.onSent();
    this.#owner.onFlushed();
  }

  #endStreams(): void {
    const ended = this.#ended;
    if (ended === NO_STREAMS) return;
    this.#ended = NO_STREAMS;
    for (const stream of ended) stream.onEndSent();
  }

  /** Chooses the frames of this turn: their streams and lengths. */
  #plan(): Plan {
    if (this.#window <= 0 || (this.#answers.isEmpty && this.#streams.isEmpty)) return EMPTY_PLAN;
    const plan: Plan = { streams: [], lengths: [], bytes: 0 };
    this.#planQueue(this.#answers, plan, this.#streams.isEmpty ? BYTES_PER_TURN : BYTES_PER_TURN / 2);
    this.#planQueue(this.#streams, plan, BYTES_PER_TURN);
    this.#planQueue(this.#answers, plan, BYTES_PER_TURN);
    if (plan.bytes > 0) this.#owner.onDataSent(plan.bytes);
    return plan;
  }

  #planQueue(queue: StreamQueue, plan: Plan, budget: number): void {
    while (plan.bytes < budget && this.#window > 0) {
      const stream = queue.shift();
      if (stream === undefined) return;
      const length = Math.min(stream.queuedBytes, stream.sendWindow, this.#window, FRAME_BYTES);
      if (length <= 0) continue;
      this.#window -= length;
      this.queuedBytes -= length;
      stream.sendWindow -= length;
      stream.queuedBytes -= length;
      plan.streams.push(stream);
      plan.lengths.push(length);
      plan.bytes += FRAME_HEAD_BYTES + length;
      if (stream.queuedBytes > 0 && stream.sendWindow > 0) queue.push(stream);
      else if (stream.queuedBytes === 0 && stream.isEnding) this.endAfterWrite(stream);
    }
  }

  #writeControl(target: Buffer): number {
    let at = 0;
    for (const frame of this.#control) {
      target.set(frame, at);
      at += frame.length;
    }
    this.#control = NO_FRAMES;
    this.#controlBytes = 0;
    return at;
  }

  #write(buffer: Buffer, bytes: number): void {
    const socket = this.#socket;
    const { buffers } = this.#resources;
    if (this.#isStopped) {
      buffers.drop(buffer);
      return;
    }
    const late = this.#control;
    if (late !== NO_FRAMES) {
      this.#control = NO_FRAMES;
      this.#controlBytes = 0;
      socket.cork();
    }
    socket.write(bytes === buffer.length ? buffer : buffer.subarray(0, bytes), this.#onWritten);
    if (late === NO_FRAMES) return;
    for (const frame of late) socket.write(frame);
    socket.uncork();
  }

  readonly #onWritten = (error: Error | null | undefined): void => {
    const buffer = this.#writing!;
    const { buffers } = this.#resources;
    this.#writing = undefined;
    if (error) {
      buffers.drop(buffer);
      return;
    }
    buffers.release(buffer);
    const hasData = this.#window > 0 && !(this.#answers.isEmpty && this.#streams.isEmpty);
    if (this.#controlBytes > 0 || this.#ended.length > 0) this.#schedule(true);
    else if (hasData) this.#scheduleRest(true);
    else this.#owner.onFlushed();
  };
}

const EMPTY_PLAN: Plan = { streams: [], lengths: [], bytes: 0 };

/** DATA frames to write, in their order. */
interface Plan {
  readonly streams: Http2Stream[];
  readonly lengths: number[];
  /** Frame heads included. */
  bytes: number;
}

function writePlan({ streams, lengths }: Plan, target: Buffer, start: number): void {
  let at = start;
  for (let index = 0; index < streams.length; index += 1) {
    const stream = streams[index]!;
    const length = lengths[index]!;
    const isEmpty = stream.takeInto(target, at + FRAME_HEAD_BYTES, length);
    const isLast = isEmpty && stream.isEnding;
    writeFrameHead(target, at, length, FrameType.data, isLast ? Flag.endStream : 0, stream.id);
    at += FRAME_HEAD_BYTES + length;
  }
}
