/** The frames of SPDY/3.1: numbers, and how they are written. */

const VERSION = 3;
const CONTROL_BIT = 0x8000;
/** Bytes before the content of a frame. */
export const FRAME_HEAD = 8;

export const FrameType = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** The sender sends nothing more on the stream. */
export const FLAG_FIN = 0x01;

/** Why a stream is reset. */
export const ResetStatus = {
  protocolError: 1,
  invalidStream: 2,
  refusedStream: 3,
  cancel: 5,
  internalError: 6,
} as const;

/** A control frame. */
export function controlFrame(type: number, flags: number, content: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD + content.length);
  frame.writeUInt16BE(CONTROL_BIT | VERSION, 0);
  frame.writeUInt16BE(type, 2);
  frame.writeUInt8(flags, 4);
  frame.writeUIntBE(content.length, 5, 3);
  frame.set(content, FRAME_HEAD);
  return frame;
}

/** A control frame of whole numbers of 32 bits. */
export function numbersFrame(type: number, ...numbers: readonly number[]): Buffer {
  const content = Buffer.allocUnsafe(4 * numbers.length);
  numbers.forEach((number, index) => {
    content.writeUInt32BE(number, 4 * index);
  });
  return controlFrame(type, 0, content);
}

/** The head of a data frame, before its bytes. */
export function dataHead(stream: number, flags: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD);
  head.writeUInt32BE(stream, 0);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(length, 5, 3);
  return head;
}
