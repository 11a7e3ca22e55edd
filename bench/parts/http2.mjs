// The HTTP/2 of this server beside node:http2, both with bare handlers: CPU of the server process with the same
// client, and memory of open streams. Servers of all kinds run at the same time and take turns of a few hundred
// milliseconds, so that other load of the machine affects all of them alike.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { bundle } from '../support/bundle.mjs';
import { Client, many } from '../support/client.mjs';
import { median, summary, until } from '../support/measure.mjs';

const SERVER = fileURLToPath(new URL('../support/http2-server.mjs', import.meta.url));
const MODULES = `
  export * from './src/http2/session.ts';
  export * from './src/http2/flush-queue.ts';
  export * from './src/http2/write-buffers.ts';
  export * from './src/connection/listener.ts';
`;
/** A socket that answers with prepared bytes: no implementation of HTTP/2 can cost less. */
const LEAST = 'TLS alone';
const NODE = 'node:http2';
const OWN = 'src/http2';
/** The own session with the layer above it: exchanges, deadlines, bounds. */
const LAYER = 'connection';
const KINDS = [NODE, OWN, LAYER];
/** The goal: at least this part of the CPU time of node:http2 is saved. */
const SAVED_PERCENT = 40;
const FIRST = 500;
const CONNECTIONS = 4;
const EVENT_STREAMS = 1000;
const EVENT_CONNECTIONS = 20;
const EVENTS = 10;
/** Requests of a warm server in one turn. */
const TURN = 1000;
const WARM_UP = 6;

class Server {
  static async start(kind, modules) {
    const server = new Server();
    server.child = fork(SERVER, [kind, modules]);
    const [{ port, body, event }] = await once(server.child, 'message');
    server.kind = kind;
    server.bodyBytes = body;
    server.eventBytes = event;
    server.url = `https://127.0.0.1:${port}`;
    return server;
  }

  clients(count) {
    return Array.from({ length: count }, () => new Client(this.url, 'token'));
  }

  async ask(asks) {
    this.child.send({ asks });
    const [figure] = await once(this.child, 'message');
    return figure;
  }

  /** CPU in microseconds that the server spends on a load. */
  async cpu(load) {
    const before = await this.ask('cpu');
    await load();
    return (await this.ask('cpu')) - before;
  }

  close() {
    this.child.disconnect();
  }
}

const get = async (server, client) => {
  const { status, bytes } = await client.request('/body');
  if (status !== 200 || bytes !== server.bodyBytes) throw new Error(`answered ${status} with ${bytes} bytes`);
};

/** `parallel` requests at a time on each of several connections, `count` in all. */
const requests = (connections, parallel, count) => (server) => {
  const clients = server.clients(connections);
  return {
    operations: count,
    turn: () =>
      Promise.all(clients.map((client) => many(count / connections, parallel, () => get(server, client)))),
    close() {
      for (const client of clients) client.close();
    },
  };
};

/** Events to many streams. */
const events = async (server) => {
  let bytes = 0;
  const clients = server.clients(EVENT_CONNECTIONS);
  await many(EVENT_STREAMS, 50, (index) =>
    clients[index % EVENT_CONNECTIONS].open('/events', (chunk) => {
      bytes += chunk.length;
    }),
  );
  const round = EVENT_STREAMS * server.eventBytes;
  await until(() => bytes === round);
  return {
    operations: EVENTS * EVENT_STREAMS,
    async turn() {
      for (let event = 0; event < EVENTS; event += 1) {
        const end = bytes + round;
        server.child.send({ events: 1 });
        await until(() => bytes === end);
      }
    },
    close() {
      for (const client of clients) client.close();
    },
  };
};

const forth = (list, index) => (index % 2 === 0 ? list : [...list].reverse());

/** CPU of the first requests of servers that have just started. */
async function first(kinds, modules) {
  const figures = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < 10; round += 1)
    for (const kind of forth(kinds, round)) {
      const server = await Server.start(kind, modules);
      const load = requests(1, 1, FIRST)(server);
      // The first round warms the client.
      const cpu = await server.cpu(load.turn);
      if (round > 0) figures[kind].push(cpu / FIRST);
      load.close();
      server.close();
    }
  return figures;
}

/** CPU of a load on warm servers: several processes of each kind, because V8 optimizes them differently. */
async function warm(start, kinds, modules) {
  const figures = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < 3; round += 1) {
    const loads = [];
    for (const kind of kinds) {
      const server = await Server.start(kind, modules);
      loads.push({ kind, server, ...(await start(server)) });
    }
    for (let turn = 0; turn < WARM_UP; turn += 1) for (const load of loads) await load.turn();
    for (let turn = 0; turn < 8; turn += 1)
      for (const { kind, server, ...load } of forth(loads, turn))
        figures[kind].push((await server.cpu(load.turn)) / load.operations);
    for (const { server, close } of loads) {
      close();
      server.close();
    }
  }
  return figures;
}

function report(table, name, figures) {
  for (const [kind, values] of Object.entries(figures))
    table.row(`${name}, ${kind}`, summary(values), 'µs CPU');
  const saved = (of) => (1 - of(figures[OWN]) / of(figures[NODE])) * 100;
  const [typical, least] = [saved(median), saved((values) => Math.min(...values))];
  const goal = typical < SAVED_PERCENT ? ` (goal: ${SAVED_PERCENT})` : '';
  table.note(
    `${name}: saved`,
    `${typical.toFixed(0)} % of the median${goal}, ${least.toFixed(0)} % of the minimum`,
  );
}

/** A connection without HTTP, which has got one event. */
class PlainClient {
  constructor(url) {
    this.socket = connect({ port: Number(new URL(url).port), rejectUnauthorized: false });
  }

  async open() {
    this.socket.write('event, please');
    await once(this.socket, 'data');
  }

  close() {
    this.socket.destroy();
  }
}

/** Memory in kilobytes per stream, of streams that are open and idle: resident, and used by objects and buffers. */
async function memoryPerStream(kind, modules, connections, streams) {
  const server = await Server.start(kind, modules);
  const clients = [];
  const open = async (count, perConnection) => {
    const opened = Array.from({ length: count }, () =>
      kind === 'tls' ? new PlainClient(server.url) : server.clients(1)[0],
    );
    clients.push(...opened);
    await many(count * perConnection, 20, (index) => opened[index % count].open('/events', () => undefined));
  };
  // Before the first figure the server allocates what it needs only once, and its heap grows.
  await open(connections / 2, streams / connections);
  await server.ask('memory');
  const before = await server.ask('memory');
  await open(connections, streams / connections);
  await server.ask('memory');
  const after = await server.ask('memory');
  for (const client of clients) client.close();
  server.close();
  const perStream = (of) => (of(after) - of(before)) / streams / 1024;
  return { resident: perStream(({ resident }) => resident), used: perStream(({ used }) => used) };
}

async function memory(table, modules) {
  for (const [kinds, connections, streams] of [
    [['tls', ...KINDS], 1000, 1000],
    [KINDS, 100, 10_000],
  ])
    for (const kind of kinds) {
      const { resident, used } = await memoryPerStream(kind, modules, connections, streams);
      const name = `${streams.toLocaleString('en')} watches on ${connections.toLocaleString('en')}, ${kind}`;
      table.row(name, { value: resident }, 'kB RSS');
      table.row(name, { value: used }, 'kB used');
    }
}

export default async function http2(table) {
  const { url, remove } = await bundle(MODULES);
  try {
    await memory(table, url);
    const one = [LEAST, ...KINDS];
    report(table, 'one at a time: first 500', await first(one, url));
    for (const [name, load, kinds] of [
      ['one at a time: warm', requests(1, 1, TURN), one],
      ['4 connections × 4', requests(CONNECTIONS, 4, TURN), KINDS],
      ['4 connections × 16', requests(CONNECTIONS, 16, 2 * TURN), KINDS],
      ['1.1 kB event to 1,000 streams on 20', events, KINDS],
    ])
      report(table, name, await warm(load, kinds, url));
  } finally {
    await remove();
  }
}
