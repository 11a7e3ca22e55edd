/** Constants of RFC 9113. */

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
export const FRAME_HEAD_BYTES = 9;
/** Largest payload that every peer accepts; this side neither sends nor accepts more. */
export const FRAME_BYTES = 16_384;
/** Flow control windows before any SETTINGS or WINDOW_UPDATE. */
export const INITIAL_WINDOW = 65_535;
export const LARGEST_WINDOW = 2 ** 31 - 1;
export const LARGEST_STREAM = 2 ** 31 - 1;
export const LARGEST_FRAME_SIZE = 2 ** 24 - 1;

export const FrameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const Flag = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const SettingId = {
  headerTableSize: 1,
  enablePush: 2,
  maximumStreams: 3,
  initialWindow: 4,
  frameSize: 5,
  headerListSize: 6,
} as const;

export const ErrorCode = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** An error that ends the connection (RFC 9113, section 5.4.1). */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Writes the head of a frame. */
export function writeFrameHead(
  target: Uint8Array,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  target[at] = length >>> 16;
  target[at + 1] = length >>> 8;
  target[at + 2] = length;
  target[at + 3] = type;
  target[at + 4] = flags;
  writeUint32(target, at + 5, stream);
}

export function writeUint32(target: Uint8Array, at: number, value: number): void {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
}

/** Reads 32 bits; the top bit, which is reserved in most fields, is part of the result. */
export const readUint32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

/** A frame whose payload is one number of 32 bits: RST_STREAM and WINDOW_UPDATE. */
export function numberFrame(type: number, stream: number, value: number): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + 4);
  writeFrameHead(frame, 0, 4, type, 0, stream);
  writeUint32(frame, FRAME_HEAD_BYTES, value);
  return frame;
}
