/** Which part of a log a client wants. */
export interface LogSelection {
  readonly timestamps: boolean;
  /** Milliseconds since the epoch; older lines are left out. */
  readonly since: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/**
 * The wanted part of a log, as a kubelet cuts it: first by time, then the last lines, then by bytes.
 * @param at when the lines were written, milliseconds since the epoch
 */
export function selectLog(
  text: string,
  at: number,
  { timestamps, since, tailLines, limitBytes }: LogSelection,
): Buffer {
  if (text === '' || (since !== undefined && at < since)) return Buffer.alloc(0);
  const endsLine = text.endsWith('\n');
  const lines = (endsLine ? text.slice(0, -1) : text).split('\n');
  const kept = tailLines === undefined ? lines : tailLines === 0 ? [] : lines.slice(-tailLines);
  const prefix = timestamps ? `${new Date(at).toISOString().replace('Z', '000000Z')} ` : '';
  const content = Buffer.from(kept.map((line) => `${prefix}${line}\n`).join(''));
  return limitBytes === undefined ? content : content.subarray(0, limitBytes);
}
