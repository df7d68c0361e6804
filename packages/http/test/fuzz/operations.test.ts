import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InboundOperation, OpenOperation, Operation, PageOperation } from "../../src/operation.ts";
import { operations } from "../../src/operations/operations.ts";
import { createHarness, newName, openApi, owner, type AskOptions, type Harness } from "../harness.ts";
import { documentText } from "../listed-api.ts";
import { createOffice } from "../private-office.ts";
import { anyText, ofAnotherType, resolved, valid, type Schema } from "./arbitraries.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: Schema;
}
interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
}
interface Asked extends AskOptions {
  readonly target: string;
}

/**
 * Those with JSON bodies and answers. `inbound.test.ts` sends other bytes to those of other services, `pages.test.ts` opens
 * pages.
 */
const guarded = operations.filter(
  ({ access }) => access !== "open" && access !== "inbound" && access !== "page",
) as readonly Exclude<Operation, OpenOperation | InboundOperation | PageOperation>[];
/** Number of requests of each kind for every operation. */
const requestsEach = { commit: 100, nightly: 20_000, release: 20_000 };

function describedAs(path: string, method: string): Described {
  return openApi.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] as unknown as Described;
}

/** Existing and unknown ids. */
async function idsOf(harness: Harness): Promise<Readonly<Record<string, readonly string[]>>> {
  const by = owner;
  const other = await harness.person();
  const invitation = { email: `${newName()}@procedo.test`, access: { live: ["viewer" as const] }, by };
  const { invitationId } = await harness.engine.people.invite(invitation);
  const { runId } = await harness.engine.runs.execute({
    procedureId: "ask",
    environment: "sandbox",
    data: { amount: 1 },
    by,
  });
  const [review] = await harness.engine.reviews.ofRun({ environment: "sandbox", runId });
  const webhook = { environment: "sandbox", by } as const;
  const { webhookId } = await harness.engine.webhooks.create({
    ...webhook,
    url: "http://127.0.0.77:8099",
    events: ["run_failed"],
    isActive: false,
  });
  const { deliveryId } = await harness.engine.webhooks.test({ ...webhook, webhookId });
  const { keyId } = await harness.engine.keys.create({ name: "spare", environment: "sandbox", by });
  const { connectionId } = await harness.engine.connections.create({
    ...webhook,
    name: "ledger",
    integration: "custom_api",
    settings: { spec: { text: documentText() } },
  });
  const unauthorized = await harness.engine.connections.create({
    ...webhook,
    name: "unauthorized",
    integration: "unreached_oauth",
    settings: { clientId: "procedo" },
  });
  const office = await createOffice(harness);
  const { triggerId } = await harness.engine.triggers.create({
    ...webhook,
    name: newName(),
    procedureId: "echo",
    source: { kind: "webhook", authentication: { scheme: "basic" } },
  });
  const { firingId } = await harness.engine.triggers.fire({ ...webhook, triggerId, event: { id: 1 } });
  return {
    runId: [runId],
    nodeId: ["start", "approve"],
    visit: ["1", "2"],
    reviewId: [review?.reviewId ?? ""],
    procedureId: ["echo", "ask", "new"],
    version: ["v1"],
    webhookId: [webhookId],
    connectionId: [connectionId, unauthorized.connectionId, office.connectionId],
    deliveryId: [deliveryId],
    triggerId: [triggerId],
    firingId: [firingId],
    integration: ["desk", "custom_api"],
    id: [keyId, other.personId, other.sessionId, invitationId],
    environment: ["sandbox"],
    name: ["pay"],
  };
}

/** The credential of each request, of a caller with all permissions. */
async function credentialsOf(
  harness: Harness,
  { access }: (typeof guarded)[number],
  ids: Readonly<Record<string, readonly string[]>>,
): Promise<() => Promise<string | undefined>> {
  switch (access) {
    case "guest":
    case "principal":
      return async () => undefined;
    case "session": {
      const { signInAgain } = await harness.person({ access: { sandbox: ["owner"], live: ["owner"] } });
      // Requests may end their own session.
      return signInAgain;
    }
    case "key": {
      const key = await harness.key(["run", "manage", "review"]);
      return async () => key;
    }
    case "client": {
      const connectionId = ids["connectionId"]?.at(-1) ?? "";
      const place = { environment: "sandbox", connectionId, by: owner } as const;
      const { token } = await harness.engine.privateConnections.regenerateToken(place);
      return async () => token;
    }
  }
}

/** Each sign-in hashes a password for a tenth of a second. */
const runsOf = ({ id }: (typeof guarded)[number]): number =>
  id === "signIn" ? cases({ commit: 10, nightly: 500, release: 500 }) : cases(requestsEach);

const wellFormed = anyText.filter((text) => text.isWellFormed() && text !== "" && !/^\.{1,2}$/.test(text));

function validRequest(operation: (typeof guarded)[number], ids: Readonly<Record<string, readonly string[]>>) {
  const { method, path } = operation;
  const { parameters = [], requestBody } = describedAs(path, method);
  const params = Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
      const known = fc.constantFrom(...(ids[name] ?? []));
      return [name, name === "environment" ? known : fc.oneof({ weight: 3, arbitrary: known }, wellFormed)];
    }),
  );
  const queries = parameters.filter((one) => one.in === "query" && one.name !== "environment" && one.name !== "cursor");
  const headers = parameters.filter((one) => one.in === "header");
  return fc
    .record({
      params: fc.record(params),
      query: fc.record(Object.fromEntries(queries.map(({ name, schema }) => [name, valid(schema)])), {
        requiredKeys: [],
      }),
      headers: fc.record(Object.fromEntries(headers.map(({ name, schema }) => [name, valid(schema)])), {
        requiredKeys: [],
      }),
      body: requestBody === undefined ? fc.constant(undefined) : valid(requestBody.content["application/json"].schema),
    })
    .map((parts) => ({ ...parts, path, method }));
}

type Parts = ReturnType<typeof validRequest> extends fc.Arbitrary<infer T> ? T : never;

function toAsk({ method, path, params, query, headers, body }: Parts): Asked {
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return {
    target: `${method} ${filled}${text === "" ? "" : `?${text}`}`,
    headers: headers as Record<string, string>,
    ...(body !== undefined && { body }),
  };
}

/** The same request with one part that no schema allows. */
function invalidRequest(parts: Parts): fc.Arbitrary<Asked> {
  const fine = toAsk(parts);
  const json = { "content-type": "application/json" };
  const more = (query: string): Asked => ({
    ...fine,
    target: `${fine.target}${fine.target.includes("?") ? "&" : "?"}${query}`,
  });
  const faults: fc.Arbitrary<Asked>[] = [
    fc.constantFrom("unknown=1", "__proto__=1", "constructor=x", "sort=asc").map(more),
    fc.constantFrom("environment=mars", "environment=live", "environment=sandbox&environment=sandbox").map(more),
  ];
  const { body } = parts;
  if (typeof body === "object" && body !== null) {
    const fields = Object.keys(body);
    const replaced = (name: string, value: unknown): Asked => ({ ...fine, body: { ...body, [name]: value } });
    const { requestBody } = describedAs(parts.path, parts.method);
    const schema = resolved(requestBody?.content["application/json"].schema ?? {});
    const known = fields.filter((name) => resolved(schema.properties?.[name] ?? {}).type !== undefined);
    faults.push(
      fc.constantFrom("unknown", "__proto__", "toString").map((name) => ({
        ...fine,
        text: JSON.stringify(body).replace(
          /^\{(?=(.))/,
          (_all, next: string) => `{"${name}":1${next === "}" ? "" : ","}`,
        ),
        body: undefined,
        headers: { ...fine.headers, ...json },
      })),
      fc.constantFrom("{", "[]", "null", "7", '"x"', "{'a':1}", '{"a":1,}', "\ufeff{}", "{} {}").map((text) => ({
        ...fine,
        body: undefined,
        text,
        headers: { ...fine.headers, ...json },
      })),
      fc.constant({ ...fine, headers: { ...fine.headers, "content-type": "text/plain" } }),
      ...known.map((name) =>
        ofAnotherType((body as Record<string, unknown>)[name]).map((value) => replaced(name, value)),
      ),
      ...(schema.required ?? []).map((name) => {
        const { [name]: _left, ...rest } = body as Record<string, unknown>;
        return fc.constant({ ...fine, body: rest });
      }),
    );
  }
  return fc.oneof(...faults);
}

describe("every operation", () => {
  test.each(guarded.map((operation) => [operation.id, operation] as const))(
    "%s answers every valid request as the document says",
    async (_id, operation) => {
      const harness = await createHarness();
      const ids = await idsOf(harness);
      const credential = await credentialsOf(harness, operation, ids);
      await fc.assert(
        fc.asyncProperty(validRequest(operation, ids), async (parts) => {
          const { target, ...options } = toAsk(parts);
          const answer = await harness.ask(target, { ...options, key: await credential() });
          expect(answer.status, answer.text).toBeLessThan(500);
          expect(["unknown_field", "unsupported_media_type"]).not.toContain(answer.body["code"]);
        }),
        { numRuns: runsOf(operation) },
      );
      expect(harness.logged).toEqual([]);
    },
  );

  test.each(guarded.map((operation) => [operation.id, operation] as const))(
    "%s refuses every invalid request",
    async (_id, operation) => {
      const harness = await createHarness();
      const ids = await idsOf(harness);
      const credential = await credentialsOf(harness, operation, ids);
      const requests = validRequest(operation, ids).chain(invalidRequest);
      // A browser is sent to the page of sign-ins instead.
      const isPage = operation.access === "guest" && operation.failurePage !== undefined;
      await fc.assert(
        fc.asyncProperty(requests, async ({ target, ...options }) => {
          const answer = await harness.ask(target, { ...options, key: await credential() });
          if (isPage && answer.status === 302) {
            expect(answer.headers.get("location")).toMatch(/\/dashboard\/sign-in\?error=(refused|expired|unavailable)/);
            return;
          }
          expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
          expect(answer.status, answer.text).toBeLessThan(500);
        }),
        { numRuns: runsOf(operation) },
      );
      expect(harness.logged).toEqual([]);
    },
  );
});

test("a list refuses every unknown filter and sort key", async () => {
  const harness = await createHarness();
  const ofKey = await harness.key();
  const { token } = await harness.person({ access: { sandbox: ["owner"], live: ["owner"] } });
  const lists = guarded.filter(({ id }) => id.startsWith("list"));
  expect(lists.length).toBeGreaterThan(5);
  for (const { path, access } of lists) {
    const key = access === "session" ? token : ofKey;
    const target = path
      .replace(":procedureId", "echo")
      .replace(":webhookId", "whk_1")
      .replace(":connectionId", "con_1");
    for (const query of [
      "sort=createdAt",
      "direction=desc",
      "filter=x",
      "status[]=running",
      "Status=running",
      "page=2",
      "offset=1",
    ]) {
      const answer = await harness.ask(`GET ${target}?${query}`, { key });
      expect(answer, `${path}?${query}`).toMatchObject({ status: 400, body: { code: "unknown_field" } });
    }
  }
});
