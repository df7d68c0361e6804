import { afterAll, beforeAll, expect, test } from "vitest";
import { startLedger } from "../src/index.ts";
import type { Ledger } from "../src/index.ts";
import { clientOf, order } from "./ledger-client.ts";
import { createManualClock } from "./manual-clock.ts";
import { listenOnSocket, send } from "./socket-ledger.ts";

const clock = createManualClock();
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startLedger({ clock, token: "s3cret" });
});
afterAll(() => ledger.close());

test("the record lists every request completely, answered or refused, except those to /_control", async () => {
  const { get, post } = clientOf(ledger);
  const bearer = { authorization: "Bearer s3cret" };
  await post("/_control/reset", {});
  await get("/invoices?vendorId=ven_acme", bearer);
  await post("/payments", order, { ...bearer, "idempotency-key": "k1" });
  await post("/payments", order);
  const at = clock.now().toISOString();
  const answered = {
    at,
    outcome: "answered",
    key: null,
    body: null,
    executed: false,
    replayed: false,
    paymentId: null,
  };
  const body = JSON.stringify(order);
  expect((await get("/_control/requests")).body.data).toEqual([
    { ...answered, seq: 1, method: "GET", path: "/invoices?vendorId=ven_acme", status: 200 },
    {
      ...answered,
      seq: 2,
      method: "POST",
      path: "/payments",
      key: "k1",
      body,
      status: 201,
      executed: true,
      paymentId: "pay_1",
    },
    { ...answered, seq: 3, method: "POST", path: "/payments", body, status: 401 },
  ]);
  expect((await get("/_control/effects")).body.data).toEqual([
    { key: "k1", requests: 1, executions: 1, bodies: [body], paymentIds: ["pay_1"] },
    { key: null, requests: 1, executions: 0, bodies: [body], paymentIds: [] },
  ]);
});

test("a web page cannot set a rule: the body must be declared as JSON", async () => {
  const { post } = clientOf(ledger);
  const reply = await post("/_control/behaviour", { route: "POST /payments" }, { "content-type": "text/plain" });
  expect(reply.status).toBe(415);
});

test("an unknown path is a 404 that lists the known paths", async () => {
  const reply = await clientOf(ledger).get("/_control/payments");
  expect(reply.body).toMatchObject({ code: "not_found", message: expect.stringContaining("POST behaviour") });
});

test("a peer that is not on loopback gets a 403 from the control endpoints, but can use the business endpoints", async () => {
  const { journal, server, socketPath } = await listenOnSocket();
  expect(await send({ socketPath, path: "/_control/requests" })).toBe(403);
  expect(await send({ socketPath, path: "/vendors" })).toBe(200);
  server.closeAllConnections();
  server.close();
  await journal.close();
});
