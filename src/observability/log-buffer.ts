export interface LogBufferOptions {
  /** Bytes that are buffered; 0: none. */
  readonly size: number;
  /** Milliseconds after which a line is written at the latest. */
  readonly interval: number;
  readonly clock: { after(milliseconds: number, callback: () => void): () => void };
  write(text: string): void;
}

/** Collects lines and writes them together. After `close`, each line is written at once. */
export function bufferedWriter({ size, interval, clock, write }: LogBufferOptions): {
  write(line: string): void;
  close(): void;
} {
  let lines: string[] = [];
  let bytes = 0;
  let closed = size === 0;
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (lines.length > 0) write(lines.join(''));
    lines = [];
    bytes = 0;
  };
  return {
    write(line) {
      if (closed) return write(line);
      lines.push(line);
      bytes += Buffer.byteLength(line);
      if (bytes >= size) flush();
      else cancel ??= clock.after(interval, flush);
    },
    close() {
      closed = true;
      flush();
    },
  };
}
