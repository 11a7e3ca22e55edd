import net from 'node:net';
import { Duplex } from 'node:stream';
import tls from 'node:tls';

const HANDSHAKE_RECORD = 22;
const CERTIFICATE_REQUEST = 13;

/**
 * The names (DER) of the client CAs in the certificate request of a server. TLS 1.2 sends it unencrypted.
 * @param servername the name that the client requests (SNI)
 */
export async function requestedAuthorities(port: number, servername = 'localhost'): Promise<Buffer[]> {
  const received: Buffer[] = [];
  const below = net.connect(port, '127.0.0.1');
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk, _encoding, done) => void below.write(chunk, done),
    final: (done) => void below.end(done),
  });
  below.on('data', (chunk: Buffer) => {
    received.push(chunk);
    socket.push(chunk);
  });
  below.on('close', () => socket.push(null));
  const client = tls.connect({ socket, servername, maxVersion: 'TLSv1.2', rejectUnauthorized: false });
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('secureConnect', resolve);
      client.once('error', reject);
    });
  } finally {
    client.destroy();
    below.destroy();
  }
  return namesOf(certificateRequestOf(Buffer.concat(received)));
}

/** The body of the certificate request among the first records of a server. */
function certificateRequestOf(bytes: Buffer): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === HANDSHAKE_RECORD; ) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    records.push(bytes.subarray(at + 5, end));
    at = end;
  }
  const messages = Buffer.concat(records);
  for (let at = 0; at + 4 <= messages.length; ) {
    const end = at + 4 + messages.readUIntBE(at + 1, 3);
    if (messages[at] === CERTIFICATE_REQUEST) return messages.subarray(at + 4, end);
    at = end;
  }
  throw new Error('the server requests no certificate');
}

/** RFC 5246, section 7.4.4: types, signature algorithms, then the names, each list with its length. */
function namesOf(request: Buffer): Buffer[] {
  const algorithms = 1 + request[0]!;
  let at = algorithms + 2 + request.readUInt16BE(algorithms) + 2;
  const names: Buffer[] = [];
  while (at < request.length) {
    const end = at + 2 + request.readUInt16BE(at);
    names.push(request.subarray(at + 2, end));
    at = end;
  }
  return names;
}
