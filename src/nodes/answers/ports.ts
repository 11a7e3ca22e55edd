import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Pod } from '../../model/generated/core-v1.ts';
import { STREAM_TYPE } from '../../streaming/remote-command.ts';
import { SpdySession } from '../../streaming/spdy/session.ts';
import { portAnswer } from './literals.ts';
import { agree, chosenProtocol, refuse } from './upgrade.ts';

const PROTOCOLS = ['portforward.k8s.io'];

/** Answers a port-forward: each connection gets the text of its port. */
export function answerPorts(request: IncomingMessage, socket: Duplex, head: Buffer, pod: Pod): void {
  if (request.headers.upgrade?.toLowerCase() === 'websocket')
    refuse(socket, 400, 'a simulated node forwards ports by SPDY only');
  else if (agree(request, socket, chosenProtocol(request, PROTOCOLS))) serve(socket, head, pod);
}

function serve(socket: Duplex, head: Buffer, pod: Pod): void {
  new SpdySession({
    socket,
    head,
    isServer: true,
    onStream(stream) {
      const port = stream.headers.get('port') ?? '';
      const text = portAnswer(pod, port);
      if (stream.headers.get(STREAM_TYPE) === 'data') {
        if (text !== undefined) sendText(stream, text);
        else stream.resume().end();
      } else if (text === undefined)
        stream
          .resume()
          .end(
            `nothing listens on port ${port} of this simulated pod: sim.binnacle.dev/port-forward says what it sends`,
          );
      else stream.resume().end();
    },
  });
}

/** Sends a text and ends. One that answers HTTP waits for the request. */
export function sendText(stream: Duplex, text: string): void {
  if (!text.startsWith('HTTP/')) {
    stream.resume().end(text);
    return;
  }
  stream.once('data', () => stream.end(text));
  stream.once('end', () => stream.end());
}
