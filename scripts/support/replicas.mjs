// Runs several servers with the same flags behind a round-robin balancer of TCP connections, as one server:
//   node scripts/support/replicas.mjs [--replicas=3] COMMAND… --bind-address=127.0.0.1 --secure-port=PORT
// The servers listen on 127.0.0.2, 127.0.0.3, … at the same port, each with a data and certificate directory of
// its own. The balancer listens when all are ready and have written what they write at the start: scenarios compare
// versions, and other writes between two requests change those of lists. If one ends early, its output is printed
// and its exit status returned. SIGTERM and SIGINT stop all. Linux only: other systems have no addresses beside
// 127.0.0.1.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

/** How long servers may take to stop, in milliseconds, before they are killed. */
const STOP_TIMEOUT_MS = 12_000;
/** The start is over after so many rounds of this length without a write, or after the longest time. */
const QUIET_ROUNDS = 5;
const ROUND_MS = 200;
const LONGEST_START_MS = 10_000;

const words = process.argv.slice(2);
const count = words[0]?.startsWith('--replicas=') ? Number(words.shift().slice('--replicas='.length)) : 3;
if (!Number.isInteger(count) || count < 1 || count > 250) throw new Error('--replicas must be 1 to 250');
const valueOfFlag = (flag) => words.findLast((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
const [host, port] = [valueOfFlag('--bind-address'), Number(valueOfFlag('--secure-port'))];
if (host !== '127.0.0.1' || !(port > 0))
  throw new Error('--bind-address=127.0.0.1 and --secure-port are needed');

const addressOf = (index) => `127.0.0.${index + 2}`;
let stopping = false;

function startServer(index) {
  const own = words.map((word) => {
    if (word.startsWith('--bind-address=')) return `--bind-address=${addressOf(index)}`;
    return /^--(data|cert)-dir=/.test(word) ? `${word}-${index}` : word;
  });
  const child = spawn(own[0], own.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  const server = { child, output: '', exited: undefined, ready: undefined };
  server.exited = new Promise((resolve) => child.on('close', (code) => resolve(code)));
  server.ready = new Promise((resolve) => {
    const read = (chunk) => {
      if (listening.now) {
        if (index === 0) process.stdout.write(chunk);
        return;
      }
      server.output += chunk;
      if (server.output.includes('is ready at ')) resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
  });
  child.on('error', (error) => {
    server.output += error.message;
  });
  void server.exited.then((code) => {
    if (stopping) return;
    process.stdout.write(`server ${index + 1} of ${count} ended:\n${server.output}\n`);
    void stop(code ?? 1);
  });
  return server;
}

async function stop(status) {
  stopping = true;
  for (const { child } of servers) child.kill('SIGTERM');
  const timer = setTimeout(() => {
    for (const { child } of servers) child.kill('SIGKILL');
  }, STOP_TIMEOUT_MS);
  await Promise.all(servers.map(({ exited }) => exited));
  clearTimeout(timer);
  process.exit(status);
}

/** Waits until nothing was written to etcd for a while. */
async function rest(url) {
  if (url === undefined) return;
  const deadline = performance.now() + LONGEST_START_MS;
  for (let [before, equal] = ['', 0]; equal < QUIET_ROUNDS && performance.now() < deadline; ) {
    const body = JSON.stringify({ key: Buffer.from('x').toString('base64') });
    const answer = await fetch(`${url}/v3/kv/range`, { method: 'POST', body });
    const { revision } = (await answer.json()).header;
    equal = revision === before ? equal + 1 : 0;
    before = revision;
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
  }
}

/** Forwards a connection to the next server; both directions end as their source does. */
let turn = 0;
const balancer = createServer({ allowHalfOpen: true }, (client) => {
  const server = connect({ host: addressOf(turn++ % count), port, allowHalfOpen: true });
  for (const [from, to] of [
    [client, server],
    [server, client],
  ]) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroySoon());
  }
});

const listening = { now: false };
const servers = Array.from({ length: count }, (_, index) => startServer(index));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(0));
await Promise.all(servers.map(({ ready }) => ready));
await rest(valueOfFlag('--etcd-servers')?.split(',')[0]);
balancer.listen({ host, port }, () => {
  listening.now = true;
  process.stdout.write(servers[0].output);
});
