/** What exec and attach have in common, whoever the peer is: streams, channels, and the status at the end. */

/** The subprotocols of a WebSocket or SPDY connection. Version 5 lets a WebSocket client end a channel. */
export const REMOTE_COMMAND_V5 = 'v5.channel.k8s.io';
export const REMOTE_COMMAND_V4 = 'v4.channel.k8s.io';

/** Numbers of the channels of a WebSocket. */
export const Channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** The header of a SPDY stream that says what it carries. */
export const STREAM_TYPE = 'streamtype';

/** Which streams a client wants. */
export interface RemoteCommandOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The `Status` at the end of a remote command. */
export interface CommandStatus {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { readonly reason?: string; readonly message: string }[] };
  readonly code?: number;
}

const NON_ZERO_EXIT_CODE = 'NonZeroExitCode';
const EXIT_CODE_CAUSE = 'ExitCode';

export const COMMAND_SUCCEEDED: CommandStatus = { metadata: {}, status: 'Success' };

/** A command ended with an exit code other than 0. @param text how it ended, for example `exit status 3` */
export const exitStatus = (code: number, text: string): CommandStatus => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: ${text}`,
  reason: NON_ZERO_EXIT_CODE,
  details: { causes: [{ reason: EXIT_CODE_CAUSE, message: String(code) }] },
});

/** A command could not be run. */
export const commandFailed = (message: string): CommandStatus => ({
  metadata: {},
  status: 'Failure',
  message: `Internal error occurred: ${message}`,
  reason: 'InternalError',
  details: { causes: [{ message }] },
  code: 500,
});

/** A command is not run. */
export const commandRefused = (message: string): CommandStatus => ({
  metadata: {},
  status: 'Failure',
  message,
  reason: 'BadRequest',
  code: 400,
});

/** The status that a kubelet reports on its error stream, as kube-apiserver passes it on. */
export function reportedStatus(content: Buffer): CommandStatus {
  if (content.length === 0) return commandFailed('error reading from error stream: unexpected EOF');
  let parsed: Partial<CommandStatus> | null;
  try {
    parsed = JSON.parse(content.toString('utf8'));
  } catch (error) {
    return commandFailed(
      `error stream protocol error: ${(error as Error).message} in ${JSON.stringify(content.toString('utf8'))}`,
    );
  }
  if (parsed?.status === 'Success') return COMMAND_SUCCEEDED;
  if (parsed?.status !== 'Failure') return commandFailed('error stream protocol error: unknown error');
  if (parsed.reason !== NON_ZERO_EXIT_CODE) return commandFailed(String(parsed.message ?? ''));
  if (!Array.isArray(parsed.details?.causes))
    return commandFailed('error stream protocol error: details must be set');
  const cause = parsed.details.causes.find(({ reason }) => reason === EXIT_CODE_CAUSE);
  if (cause === undefined)
    return commandFailed(`error stream protocol error: no ${EXIT_CODE_CAUSE} cause given`);
  const code = Number(cause.message);
  return /^\d{1,3}$/.test(cause.message) && code <= 255
    ? exitStatus(code, `command terminated with exit code ${code}`)
    : commandFailed(`error stream protocol error: invalid exit code value ${JSON.stringify(cause.message)}`);
}
