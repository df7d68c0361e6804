import { expect, test } from "vitest";
import { client, lifetimeMs } from "./authorization-server.fixture.ts";
import { authorized, driven, grantWorld, place, removal, secret, type GrantWorld } from "./grants.fixture.ts";
import type { Grants } from "./grants.ts";

/** Stores a grant whose tokens cannot be renewed. */
async function authorizedWithoutRefreshToken(world: GrantWorld, node: Grants, access: string): Promise<void> {
  const answer = { status: "granted", tokens: { access }, lifetimeMs, scopes: undefined } as const;
  const fact = { by: "ana", via: "ana", action: "connection.authorized", subject: "live/con_1" };
  const given = { answer, sentAtMs: world.clock.now(), account: undefined, by: "ana" };
  await node.give(place, client, given, { isAccepted: () => true, fact: () => fact });
}

test("a grant ends when its service says so of a new token, for all processes", async () => {
  const world = grantWorld();
  const [node, other] = [world.node(), world.node()];
  await authorized(world, node);
  const authorization = node.authorizationOf(place, client, [secret]);
  await authorization.ready();
  expect(await driven(world.clock, authorization.renew(1, "refused"))).toMatchObject({ generation: 2 });
  expect(await authorization.refusedAgain(2, "ended")).toMatchObject({
    status: "needs_authorization",
  });
  expect(authorization.known()).toMatchObject({
    ...{ status: "needs_authorization", message: expect.stringContaining("The service answered that it has ended.") },
  });
  expect(await other.authorizationOf(place, client, [secret]).ready()).toMatchObject({ status: "needs_authorization" });
  expect(await other.show(place, client)).toMatchObject({ status: "needs_authorization" });
});

test("a grant does not end by a second refusal of 401, nor by any of a client's own", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorized(world, node);
  const authorization = node.authorizationOf(place, client, [secret]);
  await authorization.ready();
  expect(await authorization.refusedAgain(1, "refused")).toBeUndefined();
  expect(await authorization.ready()).toMatchObject({ status: "ready" });
  const own = world.node().authorizationOf(place, { ...client, grant: "client_credentials" }, [secret]);
  await driven(world.clock, own.ready());
  for (const refusal of ["refused", "ended"] as const) expect(await own.refusedAgain(1, refusal)).toBeUndefined();
});

test("a grant does not end by a refusal of tokens that were replaced meanwhile", async () => {
  const world = grantWorld();
  const [node, other] = [world.node(), world.node()];
  await authorizedWithoutRefreshToken(world, node, "access_token_of_monday");
  const authorization = node.authorizationOf(place, client, [secret]);
  await authorization.ready();
  await authorizedWithoutRefreshToken(world, other, "access_token_of_friday");
  expect(await authorization.refusedAgain(1, "ended")).toMatchObject({
    ...{ status: "ready", accessToken: "access_token_of_friday", generation: 2 },
  });
  await authorized(world, other);
  expect(await authorization.refusedAgain(2, "ended")).toMatchObject({
    status: "ready",
    generation: 3,
  });
});

test("a grant does not end by a refusal of tokens from before a removal", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorizedWithoutRefreshToken(world, node, "access_token_of_monday");
  const authorization = node.authorizationOf(place, client, [secret]);
  await authorization.ready();
  await node.drop(place, undefined, removal);
  await authorizedWithoutRefreshToken(world, node, "access_token_of_friday");
  expect(await authorization.refusedAgain(1, "ended")).toMatchObject({
    ...{ status: "ready", accessToken: "access_token_of_friday", generation: 2 },
  });
});

test("the end of a grant is an entry of the chain, once for all processes", async () => {
  const world = grantWorld();
  const [node, other] = [world.node(), world.node()];
  await authorized(world, node);
  await authorized(world, node);
  const both = [node, other].map((one) => one.authorizationOf(place, client, [secret]));
  await Promise.all(both.map((one) => one.ready()));
  await Promise.all(both.map((one) => one.refusedAgain(2, "ended")));
  expect(await world.endings()).toEqual([{ reason: "The service answered that it has ended." }]);
  await authorized(world, node);
  world.server.end();
  world.clock.leap(lifetimeMs);
  await driven(world.clock, Promise.all(both.map((one) => one.ready())));
  expect(await world.endings()).toHaveLength(2);
});

test("tokens that arrive after the end of their grant do not bring it back", async () => {
  const world = grantWorld();
  const asked = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<undefined>();
  const slow = world.node({
    answer: async (body) => {
      const answer = world.server.answer(body);
      asked.resolve(undefined);
      await answered.promise;
      return answer;
    },
  });
  await authorized(world, slow);
  const slowly = slow.authorizationOf(place, client, [secret]).renew(1, "refused");
  await asked.promise;
  const other = world.node().authorizationOf(place, client, [secret]);
  await other.ready();
  expect(await other.refusedAgain(1, "ended")).toMatchObject({ status: "needs_authorization" });
  answered.resolve(undefined);
  expect(await driven(world.clock, slowly)).toMatchObject({ status: "needs_authorization" });
  expect(await other.stored()).toMatchObject({ status: "needs_authorization" });
});

test("a token that cannot be renewed is known to be good until its end", async () => {
  const world = grantWorld();
  const node = world.node();
  await authorizedWithoutRefreshToken(world, node, "access_token_without_refresh");
  const authorization = node.authorizationOf(place, client, [secret]);
  world.clock.leap(lifetimeMs - 1);
  expect(authorization.known()).toMatchObject({ status: "ready" });
  world.clock.leap(1);
  expect(authorization.known()).toMatchObject({ status: "needs_authorization" });
  expect(world.server.requests).toBe(0);
});
