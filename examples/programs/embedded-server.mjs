// A server inside a program: objects in memory, a free port, a log of its own.
import { createServer } from 'binnacle';

const lines = [];
const server = await createServer(
  { storageBackend: 'memory', securePort: 0 },
  { log: (line) => lines.push(line) },
);
console.log(`serving at ${server.url}; the kubeconfig has ${server.kubeconfig.length} characters`);
await server.stop();
console.log(`${lines.length} lines of log`);
