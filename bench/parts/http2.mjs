// The HTTP/2 of this server beside node:http2, both with bare handlers: CPU of the server process in turns, with
// the same client, and memory of open streams.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { Client, many } from '../support/client.mjs';
import { median, summary, until } from '../support/measure.mjs';

const SERVER = fileURLToPath(new URL('../support/http2-server.mjs', import.meta.url));
const NODE = 'node:http2';
const OWN = 'src/http2';
/** The own session with what the server has above it: exchanges, deadlines, bounds. */
const LAYER = 'connection';
const KINDS = [NODE, OWN, LAYER];
const ROUNDS = 5;
/** Goal of the issue of the library: at least this part of node:http2's CPU is saved. */
const SAVED_PERCENT = 40;
const FIRST = 500;
const WARM = 3000;
const CONNECTIONS = 4;
const EVENT_STREAMS = 1000;
const EVENT_CONNECTIONS = 20;
const EVENTS = 40;

class Server {
  static async start(kind) {
    const server = new Server();
    server.child = fork(SERVER, [kind]);
    const [{ port, body, event }] = await once(server.child, 'message');
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

/** CPU per request for `parallel` requests at a time on each of several connections. */
async function requests(server, clients, count, parallel) {
  const total = count * clients.length;
  const cpu = await server.cpu(() =>
    Promise.all(clients.map((client) => many(count, parallel, () => get(server, client)))),
  );
  return cpu / total;
}

/** CPU of each load on a server that has just started, and then warm. */
async function requestRound(server) {
  const [single] = server.clients(1);
  const several = server.clients(CONNECTIONS);
  const first = await requests(server, [single], FIRST, 1);
  await requests(server, [single], WARM, 1);
  const warm = await requests(server, [single], WARM, 1);
  await requests(server, several, 1500, 4);
  const four = await requests(server, several, 2000, 4);
  await requests(server, several, 1500, 16);
  const sixteen = await requests(server, several, 2000, 16);
  for (const client of [single, ...several]) client.close();
  return { first, warm, four, sixteen };
}

async function eventRound(server) {
  let bytes = 0;
  const clients = server.clients(EVENT_CONNECTIONS);
  await many(EVENT_STREAMS, 50, (index) =>
    clients[index % EVENT_CONNECTIONS].open('/events', (chunk) => {
      bytes += chunk.length;
    }),
  );
  const round = EVENT_STREAMS * server.eventBytes;
  await until(() => bytes === round);
  const deliver = async (events) => {
    for (let event = 0; event < events; event += 1) {
      const end = bytes + round;
      server.child.send({ events: 1 });
      await until(() => bytes === end);
    }
  };
  await deliver(EVENTS);
  const cpu = await server.cpu(() => deliver(EVENTS));
  for (const client of clients) client.close();
  return cpu / (EVENTS * EVENT_STREAMS);
}

/** Runs the loads on new servers of both kinds in turns. */
async function compare() {
  const figures = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of round % 2 === 0 ? KINDS : [...KINDS].reverse()) {
      const server = await Server.start(kind);
      figures[kind].push({ ...(await requestRound(server)), event: await eventRound(server) });
      server.close();
    }
  return figures;
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

/** Resident memory in kilobytes per stream, of streams that are open and idle. */
async function memoryPerStream(kind, connections, streams) {
  const server = await Server.start(kind);
  const clients = [];
  const open = async (count, perConnection) => {
    const opened = Array.from({ length: count }, () =>
      kind === 'tls' ? new PlainClient(server.url) : server.clients(1)[0],
    );
    clients.push(...opened);
    await many(count * perConnection, 20, (index) => opened[index % count].open('/events', () => undefined));
  };
  // What the server needs once, a heap of some size included.
  await open(connections / 2, streams / connections);
  await server.ask('memory');
  const before = await server.ask('memory');
  await open(connections, streams / connections);
  await server.ask('memory');
  const after = await server.ask('memory');
  for (const client of clients) client.close();
  server.close();
  return (after - before) / streams / 1024;
}

const LOADS = [
  ['first', 'one at a time: first 500'],
  ['warm', 'one at a time: warm'],
  ['four', '4 connections × 4'],
  ['sixteen', '4 connections × 16'],
  ['event', '1.1 kB event to 1,000 streams on 20'],
];

async function memory(table) {
  for (const kind of ['tls', ...KINDS])
    table.row(
      `1,000 watches on 1,000, ${kind}`,
      { value: await memoryPerStream(kind, 1000, 1000) },
      'kB RSS',
    );
  for (const kind of KINDS)
    table.row(
      `10,000 watches on 100, ${kind}`,
      { value: await memoryPerStream(kind, 100, 10_000) },
      'kB RSS',
    );
}

export default async function http2(table) {
  await memory(table);
  const figures = await compare();
  for (const [load, name] of LOADS) {
    for (const kind of KINDS)
      table.row(`${name}, ${kind}`, summary(figures[kind].map((round) => round[load])), 'µs CPU');
    const [node, own] = [NODE, OWN].map((kind) => median(figures[kind].map((round) => round[load])));
    const saved = (1 - own / node) * 100;
    table.note(
      `${name}: saved`,
      `${saved.toFixed(0)} %${saved < SAVED_PERCENT ? ` (goal: ${SAVED_PERCENT})` : ''}`,
    );
  }
}
