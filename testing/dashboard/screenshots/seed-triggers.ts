import { createHmac } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { ledgerSecret } from "../src/ledger.ts";
import type { Service } from "../src/service.ts";

export interface SeededTriggers {
  /** A schedule in the zone of another office. */
  readonly schedule: string;
  /** A webhook whose request failed. */
  readonly webhook: string;
  readonly failedFiring: string;
}

/** A trigger of each kind, and requests of a shop. */
export async function seedTriggers(
  { engine, url }: Service,
  startedBy: { readonly person: string },
): Promise<SeededTriggers> {
  const facts = { environment: "sandbox", by: startedBy } as const;
  const pays = { ...facts, procedureId: "vendor-payment" };
  const secrets = { signingSecret: ledgerSecret };
  await engine.connections.create({ name: "ledger", integration: "ledger", ...facts, secrets });
  const schedule = await engine.triggers.create({
    ...pays,
    name: "Rent of the New York office",
    source: { kind: "schedule", cron: "30 6 1 * *", timeZone: "America/New_York" },
    input: { payee: "Hudson Properties", amount: 84_000, note: "Rent {{ schedule.date }}" },
  });
  const ledger = await engine.triggers.create({
    ...pays,
    name: "Pay invoices as they arrive",
    source: { kind: "integration", connection: "ledger", events: ["invoice.received"] },
    input: { payee: "{{ event.data.vendor }}", amount: "{{ event.data.amount }}" },
  });
  await engine.triggers.pause({ ...facts, triggerId: ledger.triggerId, reason: "The ledger moves until Monday." });
  await engine.triggers.create({
    ...facts,
    procedureId: "statement",
    name: "Book each payment",
    source: { kind: "event", name: "custom.payment_sent", procedureId: "vendor-payment" },
    input: { lines: 1 },
  });
  const { triggerId, inbound, secret } = await engine.triggers.create({
    ...pays,
    name: "Bills of the shop",
    source: { kind: "webhook", authentication: { scheme: "hmac", header: "X-Shop-Signature" } },
    when: 'event.type == "bill.approved"',
    input: { payee: "{{ event.vendor }}", amount: "{{ event.cents }}" },
  });
  const bill = { type: "bill.approved", vendor: "Northwind Logistics", cents: 31_250 };
  for (const event of [bill, { ...bill, type: "bill.created" }, { ...bill, cents: "312,50" }]) {
    const body = JSON.stringify(event);
    const signature = createHmac("sha256", secret ?? "")
      .update(body)
      .digest("hex");
    const headers = { "X-Shop-Signature": signature };
    await fetch(`${url}/in/v1/${inbound?.address ?? ""}`, { method: "POST", body, headers });
  }
  const failed = await firstFailed(engine, triggerId);
  return { schedule: schedule.triggerId, webhook: triggerId, failedFiring: failed };
}

async function firstFailed(engine: Service["engine"], triggerId: string): Promise<string> {
  for (;;) {
    const firings = { environment: "sandbox", triggerId, limit: 10 } as const;
    const { items } = await engine.triggers.firings(firings);
    const isOpen = items.some(({ status }) => status === "pending");
    const failed = items.find(({ status }) => status === "failed");
    if (failed !== undefined && !isOpen) return failed.firingId;
    await setTimeout(50);
  }
}
