import { CONNECTION_WINDOW, HEADER_TABLE_BYTES, type SessionLimits, STREAM_WINDOW } from './limits.ts';
import {
  type ErrorCode,
  Flag,
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  FrameType,
  INITIAL_WINDOW,
  numberFrame,
  SettingId,
  writeFrameHead,
  writeUint32,
} from './protocol.ts';

const EMPTY = Buffer.alloc(0);

/** A frame with its payload, which is copied. */
export function controlFrame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = EMPTY,
): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payload.length);
  writeFrameHead(frame, 0, payload.length, type, flags, stream);
  frame.set(payload, FRAME_HEAD_BYTES);
  return frame;
}

/** A PING frame of the server. @param kind the last byte of the payload; the acknowledgement repeats it */
export function pingFrame(kind: number): Buffer {
  const payload = Buffer.alloc(8);
  payload[7] = kind;
  return controlFrame(FrameType.ping, 0, 0, payload);
}

/** @param reason for the developer of the client */
export function goawayFrame(lastStream: number, code: ErrorCode, reason = ''): Buffer {
  const payload = Buffer.alloc(8 + Buffer.byteLength(reason));
  writeUint32(payload, 0, lastStream);
  writeUint32(payload, 4, code);
  payload.write(reason, 8);
  return controlFrame(FrameType.goaway, 0, 0, payload);
}

/** The settings of this side, and the connection's window. */
export function serverPreface(limits: SessionLimits): Buffer {
  const settings: readonly (readonly [number, number])[] = [
    [SettingId.headerTableSize, HEADER_TABLE_BYTES],
    [SettingId.maximumStreams, limits.streams],
    [SettingId.initialWindow, STREAM_WINDOW],
    [SettingId.headerListSize, limits.headerBytes],
  ];
  const payload = Buffer.alloc(settings.length * 6);
  for (const [index, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return Buffer.concat([
    controlFrame(FrameType.settings, 0, 0, payload),
    numberFrame(FrameType.windowUpdate, 0, CONNECTION_WINDOW - INITIAL_WINDOW),
  ]);
}

/** The frames of a header block that does not fit into one. */
export function longHeaderFrames(stream: number, endStream: boolean, block: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < block.length; at += FRAME_BYTES) {
    const part = block.subarray(at, at + FRAME_BYTES);
    const flags =
      (at === 0 && endStream ? Flag.endStream : 0) |
      (at + part.length === block.length ? Flag.endHeaders : 0);
    const type = at === 0 ? FrameType.headers : FrameType.continuation;
    frames.push(controlFrame(type, flags, stream, part));
  }
  return frames;
}
