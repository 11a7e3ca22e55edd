import type { OutboundStream } from '../outbound/exchange.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { RequestContext } from '../request/context.ts';
import { ChannelConnection } from '../streaming/channels/channel-connection.ts';
import { completeHandshake } from '../streaming/channels/handshake.ts';
import {
  Channel,
  type CommandStatus,
  commandFailed,
  REMOTE_COMMAND_V4,
  REMOTE_COMMAND_V5,
  type RemoteCommandOptions,
} from '../streaming/remote-command.ts';
import { type CommandStreams, runRemoteCommand } from '../streaming/run-remote-command.ts';
import { SpdyError } from '../streaming/spdy/header-blocks.ts';
import { SpdySession } from '../streaming/spdy/session.ts';
import { requestSpdy, speaksSpdy } from './open-spdy.ts';
import { readPrefix } from './read-prefix.ts';
import type { StreamRequest } from './stream.ts';
import { untilFinished } from './until-finished.ts';

const SWITCHING_PROTOCOLS = 101;
/** Most bytes of the error of a kubelet that is shown to a client. */
const MAXIMUM_ERROR = 50_000;
const NO_BYTES = new Uint8Array(0);

interface CommandRequest extends StreamRequest {
  readonly command: RemoteCommandOptions;
}

/**
 * Connects a WebSocket of version 5 with the SPDY streams of a kubelet. As in kube-apiserver, the client has its
 * connection before the kubelet is reached, and learns of all failures by the status at the end.
 */
export async function translateCommand(context: RequestContext, request: CommandRequest): Promise<void> {
  const { exchange } = context;
  const { command, observer } = request;
  const signal = untilFinished(exchange);
  const taken = exchange.takeover();
  if (taken === undefined) return exchange.abort();
  context.status = SWITCHING_PROTOCOLS;
  const accepted = await completeHandshake(
    { ...taken, header: (name) => exchange.header(name) },
    REMOTE_COMMAND_V5,
  );
  if (accepted === undefined) return observer.commandTranslated(400);
  const inputs = [...(command.stdin ? [Channel.stdin] : []), Channel.resize];
  const client = new ChannelConnection(accepted, { inputs, closesChannels: true });
  let status: CommandStatus;
  try {
    // An empty message tells the client that the connection stands.
    await client.send(firstOutput(command), NO_BYTES);
    status = await runOnKubelet(request, client, signal);
    await client.send(Channel.error, Buffer.from(JSON.stringify(status)));
  } catch {
    // The client has disconnected.
    return;
  } finally {
    client.close();
  }
  observer.commandTranslated(status.code ?? 200);
  await client.closed;
}

function firstOutput({ stdout, stderr }: RemoteCommandOptions): number {
  if (stdout) return Channel.stdout;
  return stderr ? Channel.stderr : Channel.error;
}

/** Runs the command. Rejects when the client has disconnected. */
async function runOnKubelet(
  { backend, path, command }: CommandRequest,
  client: ChannelConnection,
  signal: AbortSignal,
): Promise<CommandStatus> {
  let response: OutboundStream;
  try {
    response = await requestSpdy(backend, path, [REMOTE_COMMAND_V5, REMOTE_COMMAND_V4], signal);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return commandFailed(`error sending request: ${error.message}`);
  }
  if (response.upgraded === undefined || !speaksSpdy(response)) return refusedUpgrade(response);
  const session = new SpdySession({ ...response.upgraded, isServer: false });
  const gone = (): void => session.destroy();
  signal.addEventListener('abort', gone, { once: true });
  try {
    return await runRemoteCommand(session, streamsOf(command, client));
  } catch (error) {
    if (error instanceof SpdyError) return commandFailed(error.message);
    throw error;
  } finally {
    signal.removeEventListener('abort', gone);
    session.destroy();
  }
}

const streamsOf = (
  { stdin, stdout, stderr, tty }: RemoteCommandOptions,
  client: ChannelConnection,
): CommandStreams => ({
  ...(stdin && { stdin: client.input(Channel.stdin) }),
  ...(stdout && { stdout: (bytes) => client.send(Channel.stdout, bytes) }),
  ...(stderr && !tty && { stderr: (bytes) => client.send(Channel.stderr, bytes) }),
  ...(tty && { resize: client.input(Channel.resize) }),
});

/** The status for a kubelet that does not change the protocol: its own Status, or its text. */
async function refusedUpgrade({ upgraded, body, status, headers }: OutboundStream): Promise<CommandStatus> {
  upgraded?.socket.destroy();
  if (status >= 300 && status <= 399 && headers.location !== undefined) {
    body.destroy();
    return commandFailed('error sending request: redirect not allowed');
  }
  const text = await readPrefix(body, MAXIMUM_ERROR);
  return statusOf(text) ?? commandFailed(`unable to upgrade connection: ${text.trim()}`);
}

function statusOf(text: string): CommandStatus | undefined {
  try {
    const parsed = JSON.parse(text);
    return parsed?.kind === 'Status' && typeof parsed.status === 'string' ? parsed : undefined;
  } catch {
    return undefined;
  }
}
