import { expect, it } from 'vitest';
import { createInProcessExchange } from '../../src/connection/in-process.ts';
import type { HandlerEnvironment } from '../../src/handlers/environment.ts';
import { createRouter } from '../../src/handlers/router.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import type { Handler } from '../../src/request/context.ts';
import { createContext } from '../../src/request/create-context.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { resourcesOn } from '../support/resources-on.ts';

function routerThatCatchesUp() {
  const state = { caughtUp: 0 };
  const served: Handler = ({ exchange }) => exchange.respond(200, 'text/plain', 'served');
  const router = createRouter({
    environment: { resources: resourcesOn(createMemoryStorage()) } as unknown as HandlerEnvironment,
    paths: { find: () => undefined },
    virtual: new Map(),
    subresources: new Map(),
    extensionServer: (group) => (group === 'new.test' && state.caughtUp > 0 ? served : undefined),
    async catchUp() {
      state.caughtUp += 1;
    },
  });
  const send = async (target: string): Promise<number> => {
    const { exchange, response } = createInProcessExchange({ method: 'GET', target });
    await router(createContext(exchange, loopTurns(), schemeOf())!);
    return (await response).status;
  };
  return { send, state };
}

it('serves a group that another server registered a moment ago', async () => {
  const { send, state } = routerThatCatchesUp();
  expect(await send('/apis/new.test/v1/things')).toBe(200);
  expect(await send('/apis/new.test/v1/things')).toBe(200);
  expect(state.caughtUp).toBe(1);
});

it('waits once before it reports a path as unknown', async () => {
  const { send, state } = routerThatCatchesUp();
  expect(await send('/apis/other.test/v1/things')).toBe(404);
  expect(state.caughtUp).toBe(1);
  expect(await send('/other')).toBe(404);
  expect(state.caughtUp).toBe(1);
});
