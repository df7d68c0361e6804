import type { OAuthServer } from "@procedo-testing/oauth-server";
import { vendorPayment } from "../src/documents/vendor-payment.ts";
import { openApi, type ApiCall } from "../src/api-client.ts";
import type { Service, ServicePerson } from "../src/service.ts";
import { seedConnections, type SeededConnections } from "./seed-connections.ts";
import { seedTriggers, type SeededTriggers } from "./seed-triggers.ts";
import { seedWebhooks, type SeededWebhooks } from "./seed-webhooks.ts";
import type { ShiftedClock } from "./shifted-clock.ts";

/** What the screenshots show. */
export interface Scene {
  readonly service: Service;
  readonly owner: ServicePerson;
  readonly reviewer: ServicePerson;
  readonly viewer: ServicePerson;
  /** Link of an open invitation. */
  readonly invitation: string;
  readonly completedRun: string;
  readonly waitingRun: string;
  /** A run in which an agent proposed a payment. */
  readonly agentRun: string;
  readonly failedRun: string;
  /** A review that the reviewer may decide, in sandbox. */
  readonly review: string;
  readonly liveReview: string;
  /** A review that asks for the outcome of a payment. */
  readonly unknownReview: string;
  readonly webhooks: SeededWebhooks;
  readonly triggers: SeededTriggers;
  readonly connections: SeededConnections;
}

const by = { person: "operator", via: "screenshots" };

/** Payees and amounts of a week, in cents. An amount above 1,000.00 waits for a reviewer. */
const payments: readonly (readonly [day: number, payee: string, amount: number, note: string])[] = [
  [20, "Northwind Logistics", 48_250, "INV-2026-0871"],
  [20, "Globex Corporation", 99_900, "INV-2026-0872"],
  [21, "Initech GmbH", 12_075, "INV-2026-0873"],
  [23, "Acme Industrial GmbH", 87_410, "INV-2026-0874"],
  [23, "Contoso Ltd", 64_000, "INV-2026-0875"],
  [23, "Hooli SARL", 31_999, "INV-2026-0876"],
  [24, "Northwind Logistics", 52_800, "INV-2026-0877"],
  [24, "Hooli SARL", 18_000, "INV-2026-0878"],
  [25, "Globex Corporation", 73_150, "INV-2026-0879"],
  [25, "Vandelay Imports", 90_000, "INV-2026-0880"],
  [25, "Initech GmbH", 45_620, "INV-2026-0881"],
  [26, "Stark Maschinenbau AG", 27_300, "INV-2026-0882"],
];

/** Fills a service with a week of payments. The clock ends at 10:40 in Berlin on 26 November 2026. */
export async function seed(service: Service, server: OAuthServer, clock: ShiftedClock): Promise<Scene> {
  clock.set("2026-11-20T08:00:00Z");
  const all = (role: "owner" | "reviewer" | "builder" | "viewer") => ({ sandbox: [role], live: [role] });
  const owner = await service.join("Ana Alvarez", all("owner"));
  const reviewer = await service.join("Ben Okafor", all("reviewer"));
  await service.join("Clara Novak", all("builder"));
  const viewer = await service.join("Dana Whitfield", all("viewer"));
  const startedBy = { person: owner.email };
  const document = { ...vendorPayment, reference: "{{ input.note }}" };
  const environments = ["sandbox", "live"] as const;
  await service.engine.procedures.publish({ document, version: "2", defaultIn: environments, by: startedBy });
  const pay = async (environment: "sandbox" | "live", payee: string, amount: number, note: string): Promise<string> => {
    const data = { payee, amount, note };
    const { runId } = await service.engine.runs.execute({
      procedureId: "vendor-payment",
      environment,
      data,
      by: startedBy,
    });
    return runId;
  };
  let completedRun = "";
  const webhooks = await seedWebhooks(service, startedBy);
  for (const [index, [day, payee, amount, note]] of payments.entries()) {
    clock.set(`2026-11-${day}T0${7 + (index % 3)}:${10 + index}:12Z`);
    completedRun = await pay("sandbox", payee, amount, note);
  }
  clock.set("2026-11-26T08:31:40Z");
  const approved = await pay("sandbox", "Tyrell Instruments", 1_240_000, "INV-2026-0883");
  clock.set("2026-11-26T08:49:05Z");
  const call = await openApi(service, reviewer);
  const { reviewId, digest: reviewDigest } = await openReview(call, approved, "sandbox");
  const decision = { approved: true, reviewId, reviewDigest, idempotencyKey: "5f0c3c1e-8b5e-4d0e-9c46-0d8f5a3f7a11" };
  await call("POST", `../runner-proxy/review/${approved}?environment=sandbox`, decision);
  completedRun = approved;
  clock.set("2026-11-26T08:50:11Z");
  const failedRun = await pay("sandbox", "Wayne Enterprises", 2_750_000, "INV-2026-0864");
  clock.set("2026-11-26T08:53:37Z");
  const other = await openReview(call, failedRun, "sandbox");
  const rejection = {
    approved: false,
    rejectionReason: "This invoice was paid on 12 November.",
    reviewId: other.reviewId,
    reviewDigest: other.digest,
    idempotencyKey: "0d8f5a3f-7a11-4d0e-8b5e-5f0c3c1e9c46",
  };
  await call("POST", `../runner-proxy/review/${failedRun}?environment=sandbox`, rejection);
  clock.set("2026-11-26T08:58:20Z");
  await pay("sandbox", "Vandelay Imports", 318_000, "INV-2026-0884");
  clock.set("2026-11-26T09:12:03Z");
  const waitingRun = await pay("sandbox", "Acme Industrial GmbH", 4_500_000, "INV-2026-0885");
  clock.set("2026-11-26T09:16:30Z");
  const lost = { payee: "Lost answer", amount: 80_000, invoice: "INV-2026-0886" };
  const unknownRun = await service.run("transfer", lost);
  clock.set("2026-11-26T09:18:04Z");
  const text = "Invoice 2026-117. Please pay EUR 890.40 for the calibration of two scales, by 10 December.";
  const agentRun = await service.run("invoice", { payee: "Umbrella Metrology", number: "2026-117", text });
  clock.set("2026-11-26T09:21:47Z");
  const live = await pay("live", "Acme Industrial GmbH", 4_500_000, "INV-2026-0861");
  await service.engine.procedures.publish({
    document: stricter(document),
    version: "3",
    defaultIn: ["sandbox"],
    by: startedBy,
  });
  const { token } = await service.engine.people.invite({
    email: "emil.brandt@acme.example",
    access: all("reviewer"),
    by,
  });
  const keys = [
    { name: "ERP: nightly invoices", environment: "sandbox", permissions: ["run"], used: true },
    { name: "Deployment pipeline", environment: "sandbox", permissions: ["manage"], used: false },
    { name: "ERP: nightly invoices", environment: "live", permissions: ["run"], used: false },
  ] as const;
  for (const { used, ...given } of keys) {
    const { key } = await service.engine.keys.create({ ...given, person: owner.email, by: startedBy });
    if (used) await fetch(`${service.url}/api/v1/runs?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  }
  await webhooks.settled();
  const triggers = await seedTriggers(service, startedBy);
  clock.set("2026-11-26T09:36:20Z");
  const connections = await seedConnections(service, server, startedBy);
  clock.set("2026-11-26T09:40:00Z");
  return {
    connections,
    triggers,
    service,
    owner,
    reviewer,
    viewer,
    invitation: token,
    completedRun,
    waitingRun,
    agentRun,
    failedRun,
    review: (await openReview(call, waitingRun, "sandbox")).reviewId,
    liveReview: (await openReview(call, live, "live")).reviewId,
    unknownReview: (await openReview(call, unknownRun, "sandbox")).reviewId,
    webhooks,
  };
}

/** A version that asks two people from 500.00 on. */
function stricter(document: typeof vendorPayment): typeof vendorPayment {
  const nodes = document.nodes.map((node) => {
    if (node.kind === "human_review") return { ...node, approvals: 2, expiresAfter: "P3D" };
    if (node.kind === "condition") return { ...node, branches: [{ name: "large", when: "input.amount > 50000" }] };
    return node;
  });
  return { ...document, description: "Pays a vendor. Payments above 500.00 EUR wait for two reviewers.", nodes };
}

async function openReview(
  call: ApiCall,
  runId: string,
  environment: "sandbox" | "live",
): Promise<{ readonly reviewId: string; readonly digest: string }> {
  const path = `runs/${runId}?environment=${environment}`;
  const run = await call<{ readonly review: { readonly reviewId: string; readonly digest: string } }>("GET", path);
  return run.review;
}
