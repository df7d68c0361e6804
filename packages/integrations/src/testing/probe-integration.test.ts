import type { JsonValue } from "@procedo/contract";
import { defineIntegration, isSignature, ProcedoError, type CodedIntegration, type OAuthClient } from "@procedo/engine";
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createService } from "../kit/service.ts";
import type { ServiceHttp } from "../kit/service-http.ts";
import { probeIntegration } from "./probe-integration.ts";
import type { IntegrationProbe } from "./probe.ts";

interface BankSecrets {
  readonly token: string;
}

const secrets = { token: "test_0123456789" };
const paid = { id: "pay_1", state: "paid" };
const event = { id: "evt_1", type: "payment.settled" };

/** An integration without a fault, apart from those that a test gives it. */
function bank(
  origin: string,
  faults: {
    readonly http?: Partial<ServiceHttp<unknown, BankSecrets>>;
    readonly verifiesAll?: boolean;
    readonly listsTooMuch?: boolean;
  } = {},
) {
  const { action, pages } = createService<unknown, BankSecrets>({
    baseUrl: () => origin,
    credentials: ({ secrets: { token } }) => ({ authorization: `Bearer ${token}` }),
    idempotency: { header: "Idempotency-Key" },
    ...faults.http,
  });
  return defineIntegration({
    name: "bank",
    secrets: z.object({ token: z.string() }),
    environmentOf: (connection) => (connection.secrets.token.startsWith("live_") ? "live" : "sandbox"),
    actions: () => ({
      pay: action({
        description: "Pays.",
        effect: "idempotent",
        input: z.object({ cents: z.int() }),
        output: z.looseObject({ id: z.string(), state: z.string() }),
        request: (input) => ({ method: "POST", path: "/payments", json: input }),
      }),
    }),
    inbound: {
      events: [{ type: "payment.settled", title: "A payment is settled", sample: event }],
      verify: ({ header, body, secrets: { token } }) => {
        const [signature = "", ...more] = header("x-signature");
        if (faults.verifiesAll === true) return true;
        return more.length === 0 && isSignature(signature, [body], { secret: token });
      },
      parse: ({ json }) => {
        const value = json();
        return [{ ...event, occurredAtMs: undefined, event: value }];
      },
      list: async (request) => {
        const query = { from: request.fromMs, ...(faults.listsTooMuch !== true && { to: request.toMs }) };
        const all = { items: (body: JsonValue) => body as JsonValue[], next: () => undefined };
        const { items } = await pages(request, { path: "/events", query }, all);
        return items.map((value) => ({ ...event, occurredAtMs: undefined, event: value }));
      },
    },
  });
}

const probeOf = (integration: IntegrationProbe["integration"], pay: JsonValue = { cents: 5 }): IntegrationProbe => ({
  integration,
  connection: { environment: "sandbox", secrets },
  misplaced: { environment: "sandbox", secrets: { token: "live_0123456789" } },
  calls: {
    pay: { args: { cents: 5 }, exchanges: [{ request: "POST /payments", sent: pay, status: 201, answer: paid }] },
  },
  inbound: {
    header: "x-signature",
    bodies: { "payment.settled": JSON.stringify(event) },
    sign: (body, at) => ({
      "x-signature": createHmac("sha256", at.secrets["token"] ?? "")
        .update(body)
        .digest("hex"),
    }),
    list: {
      ...{ fromMs: 1_000, toMs: 2_000, types: ["payment.settled"], ids: ["evt_1"] },
      exchanges: [{ request: "GET /events?from=1000&to=2000", answer: [event] }],
    },
  },
});

describe("an integration is tried", () => {
  test("and has no problems when it is without a fault", async () => {
    expect(await probeIntegration((origin) => probeOf(bank(origin)))).toEqual([]);
  });

  test("and is found to accept requests that its service did not sign", async () => {
    const problems = await probeIntegration((origin) => probeOf(bank(origin, { verifiesAll: true })));
    expect(problems).toHaveLength(12);
    expect(problems).toContain("events: accepts a request without a signature");
  });

  test("and is found to send no key with a call that may be repeated", async () => {
    const http = { idempotency: {} };
    expect(await probeIntegration((origin) => probeOf(bank(origin, { http })))).toEqual([
      "pay: is idempotent, but sends no idempotency key",
    ]);
  });

  test("and may be recognized by an argument instead of a key", async () => {
    const recognizedBy = async (argument: string) =>
      await probeIntegration((origin) => {
        const exchanges = [{ request: "POST /payments", sent: { cents: 5 }, status: 201, answer: paid }];
        const pay = { args: { cents: 5 }, exchanges, recognizedBy: argument };
        return { ...probeOf(bank(origin, { http: { idempotency: {} } })), calls: { pay } };
      });
    expect(await recognizedBy("cents")).toEqual([]);
    expect(await recognizedBy("pay_9")).toEqual(['pay: is idempotent, but sends no "pay_9"']);
  });

  test("and is found to add credentials of its own to a connection that uses OAuth", async () => {
    const oauth: OAuthClient = {
      ...{ grant: "client_credentials", tokenUrl: "https://id.test/token" },
      ...{ clientId: "procedo", scopes: [], origins: [] },
    };
    const problems = await probeIntegration((origin) => probeOf({ ...bank(origin), oauth: () => oauth }));
    expect(problems).toEqual(["pay: adds credentials of its own to a connection that uses OAuth"]);
  });

  const ofAccount = (isLive: boolean) => [
    { request: "GET /me", answer: { id: "acc_1" } },
    { request: "GET /accounts/acc_1", answer: { isLive } },
  ];
  const account = { exchanges: ofAccount(false), account: { id: "acc_1", name: "acc_1" }, misplaced: ofAccount(true) };

  /** Asks for the account, and then for its environment. */
  const askingTwice =
    (origin: string, { checks = true, ignores = false }): CodedIntegration["account"] =>
    async ({ fetch }) => {
      const { id } = z.object({ id: z.string() }).parse(await (await fetch(`${origin}/me`)).json());
      const answer = await fetch(`${origin}/accounts/${id}`);
      if (!answer.ok && !ignores) throw new Error(`The bank answered ${answer.status}.`);
      const { isLive = false } = (await answer.json()) as { readonly isLive?: boolean };
      if (checks && isLive) throw new ProcedoError("credentials_of_other_environment", "It is an account of live.");
      return { id, name: id };
    };

  test.each<[string, { readonly checks?: boolean; readonly ignores?: boolean }, readonly string[]]>([
    ["one of the other environment", { checks: false }, ["account: of the other environment is accepted in sandbox"]],
    [
      "one whose environment it could not ask for",
      { ignores: true },
      ['account: is found although "GET /accounts/acc_1" was answered with 401'],
    ],
    ["none but its own", {}, []],
  ])("and is found to accept an account that takes several requests: %s", async (_which, faults, problems) => {
    const found = await probeIntegration((origin) => {
      const integration = { ...bank(origin), account: askingTwice(origin, faults) };
      return { ...probeOf(integration as CodedIntegration), account };
    });
    expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem) as string));
  });

  test("and is found to ask for its account by another request, and to read another one from the answer", async () => {
    const found = await probeIntegration((origin) => {
      const integration = { ...bank(origin), account: askingTwice(origin, {}) } as CodedIntegration;
      const [me, ...others] = ofAccount(false);
      const exchanges = [{ ...me, request: "GET /who" } as (typeof others)[number], ...others];
      return { ...probeOf(integration), account: { exchanges, account: { id: "acc_2", name: "acc_2" } } };
    });
    expect(found).toEqual([
      'account: sent "GET /me" instead of "GET /who"',
      expect.stringContaining('account: is {"id":"acc_1","name":"acc_1"}'),
    ]);
  });

  test("and is found to take the answer of a call for a refusal of its token", async () => {
    const oauth: OAuthClient = {
      ...{
        grant: "authorization_code",
        authorizationUrl: "https://id.test/authorize",
        tokenUrl: "https://id.test/token",
      },
      ...{
        clientId: "procedo",
        scopes: [],
        origins: [],
        tokenRefusal: ({ status }) => (status < 300 ? "ended" : undefined),
      },
    };
    const problems = await probeIntegration((origin) =>
      probeOf({ ...bank(origin, { http: { credentials: () => ({}) } }), oauth: () => oauth }),
    );
    expect(problems).toEqual([
      'pay: takes the answer of "POST /payments" for a refusal of its token, and would repeat the call',
    ]);
  });

  test("and is found to send another request than it should", async () => {
    expect(await probeIntegration((origin) => probeOf(bank(origin), { cents: 6 }))).toEqual([
      'pay: sent the body {"cents":5} instead of {"cents":6}',
    ]);
  });

  test("and is found to list another period than it should", async () => {
    expect(await probeIntegration((origin) => probeOf(bank(origin, { listsTooMuch: true })))).toEqual([
      'events: list: sent "GET /events?from=1000" instead of "GET /events?from=1000&to=2000"',
    ]);
  });

  test("and is found to show a secret in its record", async () => {
    const at = (origin: string) => ({ http: { baseUrl: () => `${origin}/${secrets.token}` } });
    const problems = await probeIntegration((origin) => probeOf(bank(origin, at(origin))));
    expect(problems).toContain('pay: shows the secret "token" in its record');
  });

  test("and is found to take the answer of a failing service as a result", async () => {
    const http = { refusal: () => ({ message: "Never mind.", outcome: "not_sent" as const }) };
    const problems = await probeIntegration((origin) => probeOf(bank(origin, { http })));
    expect(problems).toContain("pay: failed: Never mind.");
  });
});
