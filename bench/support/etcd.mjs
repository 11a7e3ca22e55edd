// An etcd process for measurements, which counts the requests that it gets.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { etcdPath } from '../../scripts/etcd.mjs';
import { freePort } from './server.mjs';

export const hasEtcd = () => existsSync(etcdPath());

export class BenchEtcd {
  async start() {
    this.directory = mkdtempSync(join(tmpdir(), 'binnacle-bench-etcd-'));
    const [client, peer] = [await freePort(), await freePort()];
    this.url = `http://127.0.0.1:${client}`;
    const peerUrl = `http://127.0.0.1:${peer}`;
    this.child = spawn(
      etcdPath(),
      [
        `--data-dir=${this.directory}`,
        `--listen-client-urls=${this.url}`,
        `--advertise-client-urls=${this.url}`,
        `--listen-peer-urls=${peerUrl}`,
        `--initial-advertise-peer-urls=${peerUrl}`,
        `--initial-cluster=default=${peerUrl}`,
        '--log-level=error',
      ],
      { stdio: 'ignore' },
    );
    for (;;) {
      const ready = await fetch(`${this.url}/health`).catch(() => undefined);
      if (ready?.ok) return this;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Unary requests so far, and messages on watch streams from the server's side. */
  async requests() {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const sum = (pattern) =>
      [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
    return {
      unary: sum(/^grpc_server_started_total\{.*grpc_type="unary"\} (\S+)$/gm),
      progress: sum(/^grpc_server_msg_received_total\{grpc_method="Watch".*\} (\S+)$/gm),
    };
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.on('close', resolve));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.directory, { recursive: true, force: true });
  }
}
