// A client of HTTP/1.1 with connections that stay open, and the interface of the client of HTTP/2.
import { Agent, request } from 'node:https';

export class Http1Client {
  constructor(url, token, connections) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
    this.url = url;
    this.authorization = `Bearer ${token}`;
  }

  /** Sends a request; a status of 400 or above is an error. */
  ask(path, { method = 'GET', accept = 'application/json', type = 'application/json', body } = {}) {
    return new Promise((resolve, reject) => {
      const headers = { authorization: this.authorization, accept };
      if (body !== undefined) {
        headers['content-type'] = type;
        headers['content-length'] = Buffer.byteLength(body);
      }
      const sent = request(`${this.url}${path}`, { agent: this.agent, method, headers }, (answer) => {
        let bytes = 0;
        answer.on('data', (chunk) => {
          bytes += chunk.length;
        });
        answer.on('end', () => {
          const { statusCode: status } = answer;
          if (status >= 400) reject(new Error(`${method} ${path}: ${status}`));
          else resolve({ status, bytes });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close() {
    this.agent.destroy();
  }
}
