import { expect, test } from "vitest";
import { client, lifetimeMs } from "./authorization-server.fixture.ts";
import { authorized, driven, grantWorld, place, removal, secret } from "./grants.fixture.ts";

const minuteMs = 60_000;

test("102 calls of three nodes at the moment a token is to be renewed make one request, and get the new token", async () => {
  const world = grantWorld();
  const nodes = [world.node(), world.node(), world.node()];
  await authorized(world, nodes[0] ?? world.node());
  const all = nodes.map((node) => node.authorizationOf(place, client, [secret]));
  for (const one of all) expect(await one.ready()).toMatchObject({ status: "ready", generation: 1 });
  world.clock.leap(lifetimeMs);
  const asked = all.flatMap((one) => Array.from({ length: 34 }, () => one.ready()));
  const answers = await driven(world.clock, Promise.all(asked));
  expect(world.server.requests).toBe(1);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: "ready", generation: 2 });
  expect(answers[0]?.status === "ready" && world.server.accepts(answers[0].accessToken)).toBe(true);
});

test("a token is renewed when less than a tenth of its life is left, and not before", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorized(world, node);
  const authorization = node.authorizationOf(place, client, [secret]);
  world.clock.leap(lifetimeMs - 3 * minuteMs - 1);
  expect(authorization.known()).toMatchObject({ status: "ready", generation: 1 });
  world.clock.leap(1);
  expect(authorization.known()).toBeUndefined();
  expect(await driven(world.clock, authorization.ready())).toMatchObject({ generation: 2 });
});

test.each([
  ["500", () => new Response("", { status: 500 })],
  ["503", () => new Response("", { status: 503 })],
  ["401 with HTML", () => new Response("<html>", { status: 401, headers: { "content-type": "text/html" } })],
  ["an empty 200", () => new Response("", { status: 200 })],
  [
    "a negative lifetime",
    () => Response.json({ access_token: "a_secret_token", token_type: "Bearer", expires_in: -5 }),
  ],
  ["no access token", () => Response.json({ token_type: "Bearer" })],
  ["invalid_client", () => Response.json({ error: "invalid_client" }, { status: 401 })],
  ["a lost connection", () => Promise.reject(new Error("The connection was cut."))],
])(
  "a server that answers with %s ten times leaves the grant connected, and is asked ever more rarely",
  async (_, answer) => {
    const world = grantWorld();
    let isBroken = true;
    let failures = 0;
    const node = world.node({
      answer: (body) => {
        if (!isBroken) return world.server.answer(body);
        failures += 1;
        return answer();
      },
    });
    await authorized(world, node);
    const authorization = node.authorizationOf(place, client, [secret]);
    world.clock.leap(lifetimeMs - 2 * minuteMs);
    // While the token lasts, it is used.
    for (let time = 0; time < 5; time++) {
      expect(await driven(world.clock, authorization.ready())).toMatchObject({ status: "ready", generation: 1 });
    }
    expect(failures).toBe(1);
    world.clock.leap(2 * minuteMs);
    const waits: number[] = [];
    while (failures < 10) {
      const readiness = await driven(world.clock, authorization.ready());
      expect(readiness).toMatchObject({ status: "later" });
      if (readiness.status !== "later") break;
      waits.push(readiness.atMs - world.clock.now());
      world.clock.leap(readiness.atMs - world.clock.now());
    }
    expect(waits.map((ms) => ms / 1_000)).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
    expect(await node.show(place, client)).toMatchObject({ status: "connected", lastFailure: {} });
    isBroken = false;
    world.clock.leap(minuteMs);
    expect(await driven(world.clock, authorization.ready())).toMatchObject({ status: "ready", generation: 2 });
    expect((await node.show(place, client))?.lastFailure).toBeUndefined();
  },
);

test("a grant that the server has ended needs a person, and no request is made with it again", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorized(world, node);
  world.server.end();
  world.clock.leap(lifetimeMs);
  const authorization = node.authorizationOf(place, client, [secret]);
  expect(await driven(world.clock, authorization.ready())).toMatchObject({ status: "needs_authorization" });
  expect(await authorization.ready()).toMatchObject({ status: "needs_authorization" });
  expect(world.server.requests).toBe(1);
  expect(await node.show(place, client)).toMatchObject({
    status: "needs_authorization",
    lastFailure: { message: 'The authorization server answered "invalid_grant".' },
  });
  expect(await authorized(world, node)).toBe(true);
  expect(await authorization.ready()).toMatchObject({ status: "ready", generation: 2 });
});

test("6: the loser of a race takes the winner's token: its invalid_grant ends nothing", async () => {
  const world = grantWorld();
  const winner = world.node();
  await authorized(world, winner);
  let hold: (() => void) | undefined;
  const loser = world.node({
    answer: async (body) => {
      await new Promise<void>((resolve) => (hold = resolve));
      return world.server.answer(body);
    },
  });
  world.clock.leap(lifetimeMs);
  const late = loser.authorizationOf(place, client, [secret]).ready();
  while (hold === undefined) await world.clock.settle();
  // The loser stands still for longer than others wait for it.
  const won = await driven(world.clock, winner.authorizationOf(place, client, [secret]).ready());
  expect(won).toMatchObject({ status: "ready", generation: 2 });
  hold();
  // The server has ended the grant by now: it saw the replaced token again. The loser must not store that over the winner's.
  expect(await driven(world.clock, late)).toEqual(won);
  expect(await winner.show(place, client)).toMatchObject({ status: "connected" });
});

test("a refused token is renewed once, however many calls were refused", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorized(world, node);
  const authorization = node.authorizationOf(place, client, [secret]);
  await authorization.ready();
  const renewed = await driven(world.clock, Promise.all(Array.from({ length: 50 }, () => authorization.renew(1))));
  expect(world.server.requests).toBe(1);
  expect(new Set(renewed.map((one) => one.status === "ready" && one.generation))).toEqual(new Set([2]));
});

test("another account does not replace the one before, and leaves its tokens good", async () => {
  const world = grantWorld();
  const node = world.node();
  expect(await authorized(world, node, "acc_1")).toBe(true);
  const before = await node.authorizationOf(place, client, [secret]).ready();
  expect(await authorized(world, node, "acc_2")).toBe(false);
  expect(await node.authorizationOf(place, client, [secret]).stored()).toEqual(before);
});

test("the tokens of another client or server are not used", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorized(world, node);
  const moved = { ...client, tokenUrl: "https://login.attacker.example/token" };
  expect(await driven(world.clock, node.authorizationOf(place, moved, [secret]).ready())).toMatchObject({
    status: "needs_authorization",
  });
  expect(world.server.requests).toBe(0);
});

test("a client that is authorized by itself gets its first token when it is needed, once", async () => {
  const world = grantWorld();
  const own = { ...client, grant: "client_credentials" } as const;
  const nodes = [world.node(), world.node()];
  const asked = nodes.map((node) => node.authorizationOf(place, own, [secret]).ready());
  const [first, second] = await driven(world.clock, Promise.all(asked));
  expect(first).toEqual(second);
  expect(world.server.requests).toBe(1);
  // With other scopes it is another token.
  const wider = { ...own, scopes: ["payments", "payouts"] };
  expect(
    await driven(
      world.clock,
      nodes[0]?.authorizationOf(place, wider, [secret]).ready() ?? Promise.reject(new Error("no node")),
    ),
  ).toMatchObject({
    status: "ready",
  });
  expect(world.server.requests).toBe(2);
});

test("tokens of this generation and the one before are recognized, as they are and in parts", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorized(world, node);
  const authorization = node.authorizationOf(place, client, [secret]);
  const tokens: string[] = [secret];
  for (const generation of [1, 2]) {
    const ready = await driven(world.clock, authorization.ready());
    if (ready.status === "ready") tokens.push(ready.accessToken, world.server.refreshToken);
    if (generation === 1) world.clock.leap(lifetimeMs);
  }
  const text = tokens.join(" and ");
  expect(authorization.redactor.text(text)).toBe(tokens.map(() => "[redacted]").join(" and "));
  // Another process that has read the grant only now.
  const other = world.node().authorizationOf(place, client, [secret]);
  await other.ready();
  expect(other.redactor.text(text)).not.toMatch(/token_0/);
  node.forget();
  expect(authorization.redactor.text(text)).not.toMatch(/token_0/);
});

test("stored tokens are encrypted", async () => {
  const world = grantWorld();
  await authorized(world, world.node());
  const { items } = await world.storage.records.list({ workspace: "main", kind: "grant", limit: 10 });
  expect(JSON.stringify(items)).not.toMatch(/token_0|client_secret/);
});

test("4: a process whose attempt was acknowledged late sends nothing: another one may have sent by then", async () => {
  const world = grantWorld();
  await authorized(world, world.node());
  world.clock.leap(lifetimeMs);
  const late = Promise.withResolvers<undefined>();
  const { records } = world.storage;
  const slow = world.node({
    records: {
      ...records,
      put: async (request) => {
        const result = await records.put(request);
        await late.promise;
        return result;
      },
    },
  });
  const slowly = slow.authorizationOf(place, client, [secret]).ready();
  await world.clock.settle();
  const other = world.node().authorizationOf(place, client, [secret]);
  expect(await driven(world.clock, other.ready())).toMatchObject({ status: "ready", generation: 2 });
  late.resolve(undefined);
  expect(await driven(world.clock, slowly)).toMatchObject({ status: "ready", generation: 2 });
  expect(world.server.requests).toBe(1);
  expect(world.server.isOver).toBe(false);
});

test("4: a process that stalls for 40 s after its request stores nothing over the tokens of the next one", async () => {
  const world = grantWorld({ graceMs: 60_000 });
  const [asked, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const slow = world.node({
    answer: async (body) => {
      const answer = world.server.answer(body);
      asked.resolve(undefined);
      await released.promise;
      return answer;
    },
  });
  await authorized(world, slow);
  const slowly = slow.authorizationOf(place, client, [secret]).renew(1);
  await asked.promise;
  const beganMs = world.clock.now();
  const other = world.node().authorizationOf(place, client, [secret]);
  const renewed = await driven(world.clock, other.renew(1));
  expect(renewed).toMatchObject({ status: "ready", generation: 2 });
  await world.clock.advance(Math.max(0, beganMs + 40_000 - world.clock.now()));
  released.resolve(undefined);
  expect(await driven(world.clock, slowly)).toEqual(renewed);
  expect(await world.node().authorizationOf(place, client, [secret]).ready()).toEqual(renewed);
  expect([world.server.requests, world.server.isOver]).toEqual([2, false]);
});

test("a failure that a process with a wrong clock has recorded in the future delays no other", async () => {
  const world = grantWorld();
  let isBroken = true;
  const node = world.node({
    answer: (body) => (isBroken ? new Response("", { status: 503 }) : world.server.answer(body)),
  });
  await authorized(world, node);
  world.clock.leap(lifetimeMs);
  world.clock.jump(24 * 3_600_000);
  const authorization = node.authorizationOf(place, client, [secret]);
  expect(await driven(world.clock, authorization.ready())).toMatchObject({ status: "later" });
  world.clock.jump(-24 * 3_600_000);
  isBroken = false;
  expect(await driven(world.clock, authorization.ready())).toMatchObject({ status: "ready", generation: 2 });
});

test("a read that began before a change does not bring removed tokens back", async () => {
  const world = grantWorld();
  await authorized(world, world.node());
  const read = Promise.withResolvers<undefined>();
  const { records } = world.storage;
  const slow = world.node({
    records: {
      ...records,
      get: async (address) => {
        const row = await records.get(address);
        await read.promise;
        return row;
      },
    },
  });
  const authorization = slow.authorizationOf(place, client, [secret]);
  const before = authorization.ready();
  await world.clock.settle();
  await world.node().drop(place, undefined, removal);
  slow.forget(place.connectionId);
  read.resolve(undefined);
  await before;
  expect(authorization.known()?.status).not.toBe("ready");
  expect(await authorization.ready()).toMatchObject({ status: "needs_authorization" });
});

test("the answer to a request for tokens from before a removal is not stored over a later grant", async () => {
  const world = grantWorld({ graceMs: lifetimeMs });
  const stalled = () => {
    const [asked, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const node = world.node({
      answer: async (body) => {
        const answer = world.server.answer(body);
        asked.resolve(undefined);
        await released.promise;
        return answer;
      },
    });
    return { ...{ node, asked, released }, authorization: node.authorizationOf(place, client, [secret]) };
  };
  const [first, second] = [stalled(), stalled()];
  await authorized(world, first.node);
  const renewedFirst = first.authorization.renew(1);
  await first.asked.promise;
  await second.node.drop(place, undefined, removal);
  await authorized(world, second.node);
  // The attempt that is under way has as many revisions of the grant before it as the first one had.
  const renewedSecond = second.authorization.renew(2);
  await second.asked.promise;
  first.released.resolve(undefined);
  await world.clock.settle();
  second.released.resolve(undefined);
  await driven(world.clock, Promise.all([renewedFirst, renewedSecond]));
  const stored = await world.node().authorizationOf(place, client, [secret]).ready();
  expect(stored.status === "ready" && world.server.accepts(stored.accessToken)).toBe(true);
});

test("another account is also refused for another client of the service", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorized(world, node);
  const answer = {
    status: "granted",
    ...{ tokens: { access: "another_access_token" }, lifetimeMs: undefined, scopes: undefined },
  } as const;
  const given = { answer, sentAtMs: world.clock.now(), account: { id: "acc_2", name: "Other Ltd" }, by: "ana" };
  const fact = { by: "ana", via: "ana", action: "connection.authorized", subject: "live/con_1" };
  const isAccepted = (before: { readonly id: string } | undefined) => before === undefined || before.id === "acc_2";
  const rules = { isAccepted, fact: () => fact };
  expect(await node.give(place, { ...client, clientId: "another" }, given, rules)).toMatchObject({
    ...{ isStored: false, kept: { id: "acc_1" } },
  });
});
