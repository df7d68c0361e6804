import type { ApiCall } from "./api-client.ts";
import { allHostileTexts, hostileTexts } from "./hostile-texts.ts";

/** Addresses of pages that show hostile texts. */
export interface HostilePages {
  /** A run whose input and output hold every text, as values and as names of members. */
  readonly runOfAll: string;
  /** A run that waits for the decision of its review. */
  readonly waitingRun: string;
  /** A run that failed with the reason of a rejection. */
  readonly failedRun: string;
  /** A run that failed with the answer of a service. */
  readonly refusedRun: string;
  /** A run with the texts of a model. */
  readonly agentRun: string;
  readonly review: string;
  /** A webhook with a hostile name that receives nothing. */
  readonly webhook: string;
  /** Its delivery of the end of {@link runOfAll}. */
  readonly delivery: string;
  /** A connection with a hostile name. */
  readonly connection: string;
  /** A connection whose document is hostile. */
  readonly documentedConnection: string;
  readonly trigger: string;
  /** A firing of the trigger, with an event that holds every text. */
  readonly firing: string;
}

const [script = "", image = ""] = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>"];
const short = (length: number): string => allHostileTexts.slice(0, length);

/** A procedure with a hostile text in each place of its document that takes any text. */
function hostileDocument(connection: string, name: string, description: string): object {
  return {
    schemaVersion: 1,
    procedureId: "hostile",
    name,
    description,
    input: {
      type: "object",
      title: script,
      required: ["text"],
      properties: {
        text: { type: "string", title: `${image} Text`, description },
        choice: { type: "string", enum: hostileTexts.slice(0, 5), title: script, default: script },
        [image]: { type: "string" },
      },
    },
    reference: "{{ input.text }}",
    nodes: [
      { id: "start", kind: "start" },
      {
        id: "look",
        kind: "tool_call",
        title: script,
        connection,
        action: "look",
        arguments: { payee: "{{ input.text }}" },
      },
      {
        id: "which",
        kind: "condition",
        title: image,
        branches: [{ name: "</script><script>alert(1)</script>", when: "input.text != ''" }],
        otherwise: image,
      },
      {
        id: "ask",
        kind: "human_review",
        title: "{{ input.text }}",
        data: {
          text: "{{ input.text }}",
          [image]: "{{ nodes.look.output }}",
          all: description.replaceAll("{{", "{ {"),
        },
        outputs: { type: "object", properties: { note: { type: "string", title: image, description } } },
      },
      { id: "end", kind: "end", output: { text: "{{ input.text }}", [script]: "{{ nodes.look.output }}" } },
    ],
    edges: [
      { from: "start", to: "look" },
      { from: "look", to: "which" },
      { from: "which", to: "ask", branch: "</script><script>alert(1)</script>" },
      { from: "which", to: "end", branch: image },
      { from: "ask", to: "end" },
    ],
  };
}

/** An OpenAPI document with hostile texts wherever people read it. */
const hostileApi = {
  openapi: "3.0.3",
  info: { title: allHostileTexts, version: script },
  paths: {
    "/pay": {
      post: {
        operationId: "pay",
        summary: image,
        description: allHostileTexts,
        parameters: [{ name: "note", in: "query", description: script, schema: { type: "string", title: image } }],
        responses: { 200: { description: image } },
      },
    },
  },
};

const echo = {
  schemaVersion: 1,
  procedureId: "echo",
  name: short(200),
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    { id: "end", kind: "end", output: { all: "{{ input }}" } },
  ],
  edges: [{ from: "start", to: "end" }],
};

/**
 * Writes hostile texts over the API, wherever it takes a text.
 *
 * @param receiver an address that accepts no webhook
 */
export async function seedHostileTexts(call: ApiCall, receiver: string): Promise<HostilePages> {
  const connection = short(128);
  const named = await call<{ readonly id: string }>("POST", "connections?environment=sandbox", {
    name: connection,
    integration: "bank",
    environment: "sandbox",
  });
  const documented = await call<{ readonly id: string }>("POST", "connections?environment=sandbox", {
    name: image,
    integration: "custom_api",
    environment: "sandbox",
    settings: { spec: { text: JSON.stringify(hostileApi) }, baseUrl: receiver },
  });
  const versions = [hostileDocument(connection, script, short(5_000)), hostileDocument(connection, short(200), image)];
  for (const [index, document] of versions.entries()) {
    const body = { document, version: String(index + 1), defaultIn: ["sandbox"] };
    await call("POST", "procedures/hostile/versions?environment=sandbox", body);
  }
  await call("POST", "procedures/echo/versions?environment=sandbox", {
    document: echo,
    version: "1",
    defaultIn: ["sandbox"],
  });
  const { id: webhook } = await call<{ readonly id: string }>("POST", "webhooks?environment=sandbox", {
    name: short(200),
    url: `${receiver}/?${encodeURIComponent(image)}`,
    events: ["run_completed", "run_failed"],
  });

  const start = async (procedureId: string, data: object): Promise<string> => {
    const path = `procedures/${procedureId}/runs?environment=sandbox`;
    return (await call<{ readonly runId: string }>("POST", path, { data, control: { executionMode: "sync" } })).runId;
  };
  // The service refuses a member of the name __proto__.
  const names = hostileTexts.filter((text) => text !== "__proto__");
  const refusedRun = await start("vendor-payment", { payee: `refused: ${allHostileTexts}`, amount: 100 });
  const invoice = { payee: image, number: script, text: `Please pay EUR 12.00. «${allHostileTexts}»` };
  const agentRun = await start("invoice", invoice);
  const all = Object.fromEntries(names.map((name) => [name, name]));
  const runOfAll = await start("echo", { all, list: hostileTexts });
  const waiting = await Promise.all(hostileTexts.map((text) => start("hostile", { text })));

  const [waitingRun = "", failedRun = "", approvedRun = ""] = waiting;
  const reviewOf = async (runId: string): Promise<{ readonly reviewId: string; readonly digest: string }> => {
    const path = `runs/${runId}?environment=sandbox`;
    const { review } = await call<{ readonly review: { readonly reviewId: string; readonly digest: string } }>(
      "GET",
      path,
    );
    return review;
  };
  const decide = async (runId: string, decision: object): Promise<void> => {
    const { reviewId, digest: reviewDigest } = await reviewOf(runId);
    const body = { ...decision, reviewId, reviewDigest, idempotencyKey: crypto.randomUUID() };
    await call("POST", `../runner-proxy/review/${runId}?environment=sandbox`, body);
  };
  await decide(failedRun, { approved: false, rejectionReason: allHostileTexts });
  await decide(approvedRun, { approved: true, outputs: { note: allHostileTexts } });

  const groups = hostileTexts.filter((text) => text.length <= 64 && !/[\p{Cc}\p{Cf}]/u.test(text)).slice(0, 20);
  const access = { sandbox: ["viewer"] };
  for (const [index, name] of [script, image, short(200)].entries()) {
    const email = `stranger${index}@acme.example`;
    const { link } = await call<{ readonly link: string }>("POST", "people/invitations", { email, access, groups });
    await call("POST", "invitations/accept", { token: link.split("#")[1], name, password: "correct horse battery" });
  }
  await call("POST", "people/invitations", { email: "invited@acme.example", access, groups });
  await call("POST", "api-keys?environment=sandbox", {
    name: short(100),
    environment: "sandbox",
    permissions: ["run"],
  });
  const sent = await call<{ readonly data: readonly { readonly id: string }[] }>(
    "GET",
    `webhooks/${webhook}/deliveries?environment=sandbox&runId=${runOfAll}`,
  );
  const created = await call<{ readonly id: string }>("POST", "triggers?environment=sandbox", {
    name: short(200),
    procedureId: "hostile",
    source: { kind: "webhook", authentication: { scheme: "token", header: "X-Token" } },
    when: `event.text == ${JSON.stringify(image)}`,
    input: { text: "{{ event.text }}" },
  });
  const trigger = created.id;
  const { firingId: firing } = await call<{ readonly firingId: string }>(
    "POST",
    `triggers/${trigger}/fire?environment=sandbox`,
    { event: { text: allHostileTexts, ...Object.fromEntries(names.map((name) => [name, name])) } },
  );
  await call("POST", `triggers/${trigger}/pause?environment=sandbox`, { reason: short(500) });
  return {
    connection: named.id,
    documentedConnection: documented.id,
    trigger,
    firing,
    runOfAll,
    waitingRun,
    failedRun,
    refusedRun,
    agentRun,
    review: (await reviewOf(waitingRun)).reviewId,
    webhook,
    delivery: sent.data[0]?.id ?? "",
  };
}
