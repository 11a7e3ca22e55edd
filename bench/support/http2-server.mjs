// A bare TLS server with one kind of HTTP/2, without anything behind it. The parent names the kind, and a module
// that has HTTP/2 of this server; it asks for measurements by messages. GET /body answers 4 kB; GET /events stays
// open and gets an event for each message `{ events }`.
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const fixture = (name) => readFileSync(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));
const certificate = { key: fixture('server.key'), cert: fixture('server.crt') };
const BODY = Buffer.from(JSON.stringify({ kind: 'ConfigMap', data: { text: 'x'.repeat(4057) } }));
const EVENT = Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object: { text: 'x'.repeat(1060) } })}\n`);
const STREAMS = 250;
const TYPE = 'application/json';
const FRAME_HEAD_BYTES = 9;
const PREFACE_BYTES = 24;

/** Writers of the open streams. */
const open = new Set();

/** Each listens on a free port, and resolves with it. */
const KINDS = {
  /** Connections that get one event and are held. */
  tls: () =>
    listen(
      createServer(certificate, (socket) => {
        socket.on('error', () => undefined);
        socket.on('data', () => socket.write(EVENT));
      }),
    ),

  /** The cost of TLS alone: the same prepared answer to every request. */
  'TLS alone': () => {
    const fields = `\x88\x0f\x10${string(TYPE)}\x0f\x0d${string(String(BODY.length))}`;
    const head = frame(1, 4, Buffer.from(fields, 'latin1'));
    const answer = Buffer.concat([head, frame(0, 1, BODY)]);
    const [settings, acknowledgement] = [frame(4, 0), frame(4, 1)];
    return listen(
      createServer({ ...certificate, ALPNProtocols: ['h2'] }, (socket) => {
        socket.on('error', () => undefined);
        socket.write(settings);
        let at = PREFACE_BYTES;
        socket.on('data', (chunk) => {
          for (; at < chunk.length; at += FRAME_HEAD_BYTES + chunk.readUIntBE(at, 3)) {
            const [type, flags] = [chunk[at + 3], chunk[at + 4]];
            if (type === 4 && flags === 0) socket.write(acknowledgement);
            if (type !== 1) continue;
            const copy = Buffer.from(answer);
            copy.set(chunk.subarray(at + 5, at + FRAME_HEAD_BYTES), 5);
            copy.set(chunk.subarray(at + 5, at + FRAME_HEAD_BYTES), head.length + 5);
            socket.write(copy);
          }
          at -= chunk.length;
        });
      }),
    );
  },

  /** The HTTP/2 of Node. */
  'node:http2': () => {
    const server = createSecureServer({
      ...certificate,
      settings: { maxConcurrentStreams: STREAMS },
      maxSessionMemory: 1000,
    });
    server.on('stream', (stream, headers) => {
      const path = headers[':path'];
      stream.on('error', () => undefined);
      if (path === '/body') {
        stream.respond({ ':status': 200, 'content-type': TYPE, 'content-length': BODY.length });
        stream.end(BODY);
        return;
      }
      stream.respond({ ':status': 200, 'content-type': TYPE });
      stream.write(EVENT);
      const write = () => stream.write(EVENT);
      open.add(write);
      stream.on('close', () => open.delete(write));
    });
    return listen(server);
  },

  /** The session of this server on a bare TLS socket. */
  'src/http2': async () => {
    const { Http2Session, FlushQueue, WriteBuffers } = await import(process.argv[3]);
    const account = { reserve: () => true };
    const seconds = (count) => count * 1000;
    const environment = {
      limits: {
        headerBytes: 1 << 20,
        headerCount: 4000,
        streams: STREAMS,
        headerTimeout: seconds(30),
        settingsTimeout: seconds(10),
        goawayTimeout: seconds(10),
        lingerTimeout: seconds(1),
        lingerBytes: 1 << 20,
      },
      resources: { flushes: new FlushQueue(), buffers: new WriteBuffers() },
      now: () => performance.now(),
    };
    const owner = {
      headerAccount: account,
      bodyAccount: account,
      onMalformed: () => undefined,
      onSessionError: (error) => console.error(error),
      onPong: () => undefined,
      onRequest: (stream) => {
        if (stream.head.path === '/body') {
          stream.respond(200, ['content-type', TYPE, 'content-length', String(BODY.length)], BODY);
          return;
        }
        stream.start(200, ['content-type', TYPE]);
        stream.write(EVENT);
        const write = () => stream.write(EVENT);
        open.add(write);
        stream.listener = { onSent: () => undefined, onClosed: () => open.delete(write) };
      },
    };
    return listen(
      createServer(
        { ...certificate, ALPNProtocols: ['h2'] },
        (socket) => new Http2Session(socket, environment, owner),
      ),
    );
  },

  /** The connection layer of this server, which has `src/http2` below it. */
  connection: async () => {
    const { createListener } = await import(process.argv[3]);
    const handler = (exchange) => {
      if (exchange.target === '/body') {
        exchange.respond(200, TYPE, BODY);
        return;
      }
      const writer = exchange.startStream(200, TYPE);
      writer.write(EVENT);
      const write = () => writer.write(EVENT);
      open.add(write);
      exchange.onFinished(() => open.delete(write));
    };
    const listener = createListener({ ...certificate, handler, http2MaxStreams: STREAMS });
    const { port } = await listener.listen('127.0.0.1', 0);
    return port;
  },
};

/** A frame of stream 0. */
function frame(type, flags, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  return Buffer.concat([head, payload]);
}

/** A short string as HPACK has it. */
const string = (text) => String.fromCharCode(text.length) + text;

function listen(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

process.on('message', ({ events, asks }) => {
  if (asks === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  } else if (asks === 'memory') {
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send({ resident: rss, used: heapUsed + external });
  } else for (let event = 0; event < events; event += 1) for (const write of open) write();
});
process.on('disconnect', () => process.exit());
process.send({ port: await KINDS[process.argv[2]](), body: BODY.length, event: EVENT.length });
