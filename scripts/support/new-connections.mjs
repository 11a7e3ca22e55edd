// Loaded with `node --import` into a client program: each request opens a connection of its own, so that a
// balancer of connections gives consecutive requests to different servers.
import https from 'node:https';

https.Agent = class extends https.Agent {
  constructor(options) {
    super({ ...options, keepAlive: false });
  }
};
