import { describe, expect, it } from 'vitest';
import { Client, type ControllerRequest } from '../../src/reconcile/client.ts';
import { PODS } from '../../src/reconcile/resources.ts';

/** A client whose requests get one answer, and the requests that it sent. */
function clientWith(status: number, answer: string): { client: Client; sent: ControllerRequest[] } {
  const sent: ControllerRequest[] = [];
  const body = (async function* () {
    yield Buffer.from(answer);
  })();
  const client = new Client((request) => {
    sent.push(request);
    return Promise.resolve({ status, body });
  }, 'agent/1');
  return { client, sent };
}

const pod = { metadata: { namespace: 'default', name: 'one' } };

describe('a client for writes of which only errors count', () => {
  it('says that it does not read the answer', async () => {
    const { client, sent } = clientWith(201, '');
    expect(await client.writer().create(PODS, pod)).toBeUndefined();
    expect(sent[0]).toMatchObject({ method: 'POST', ignoresAnswer: true });
  });

  it('throws errors', async () => {
    const { client } = clientWith(409, JSON.stringify({ code: 409, reason: 'Conflict', message: 'changed' }));
    await expect(client.writer().update(PODS, pod)).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('reads objects', async () => {
    const { client, sent } = clientWith(200, JSON.stringify(pod));
    expect(await client.writer().get(PODS, 'default', 'one')).toEqual(pod);
    expect(sent[0]).not.toHaveProperty('ignoresAnswer');
  });
});

it('reads the answers of other writes', async () => {
  const { client, sent } = clientWith(201, JSON.stringify(pod));
  expect(await client.create(PODS, pod)).toEqual(pod);
  expect(sent[0]).not.toHaveProperty('ignoresAnswer');
});
