import { BlockList, isIP } from "node:net";
import type { IncomingHttpHeaders } from "node:http";
import { ok, refusal } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { parseBehaviourRule } from "./behaviours.ts";
import { parseInvoiceOrder } from "./invoice-order.ts";
import { LedgerError } from "./ledger-error.ts";
import { parseReceiver } from "./parse-receiver.ts";
import { parseBody } from "./request-body.ts";
import type { ReceivedBody } from "./request-body.ts";
import type { LedgerContext } from "./ledger-context.ts";
import { routeName } from "./routes.ts";

/** A request to `/_control`. */
export interface ControlRequest {
  readonly method: string;
  readonly path: string;
  /** Address of the peer. */
  readonly remoteAddress: string | undefined;
  readonly body: ReceivedBody;
  readonly headers: IncomingHttpHeaders;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether a peer's address is a loopback address. IPv4 addresses mapped into IPv6 are checked as IPv4. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined || isIP(address) === 0) return false;
  return loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Answers the admin endpoints, which receive invoices, set receivers of events, inject faults and read the record. */
export async function answerControl(ledger: LedgerContext, request: ControlRequest): Promise<Answer> {
  try {
    if (!isLoopback(request.remoteAddress))
      throw new LedgerError("forbidden", "/_control is available on loopback only.");
    return await control(ledger, request);
  } catch (error) {
    return refusal(error);
  }
}

async function control(ledger: LedgerContext, request: ControlRequest): Promise<Answer> {
  const { records } = ledger.journal;
  switch (`${request.method} ${request.path}`) {
    case "POST /_control/behaviour":
      return addBehaviours(ledger, parseBody(request.body, request.headers["content-type"]));
    case "GET /_control/requests":
      return ok({ data: records.requests() });
    case "GET /_control/effects":
      return ok({ data: records.effects() });
    case "POST /_control/invoices":
      return await receiveInvoice(ledger, parseBody(request.body, request.headers["content-type"]));
    case "POST /_control/receivers":
      return await setReceiver(ledger, parseBody(request.body, request.headers["content-type"]));
    case "POST /_control/resend-events":
      await resendEvents(ledger);
      return ok({ resent: true });
    case "POST /_control/forget-keys":
      await forgetKeys(ledger);
      return ok({ forgotten: true });
    case "POST /_control/reset":
      await resetLedger(ledger);
      return ok({ reset: true });
    default:
      throw new LedgerError(
        "not_found",
        "No such endpoint. /_control has POST behaviour, GET requests, GET effects, POST invoices, POST receivers, " +
          "POST resend-events, POST forget-keys and POST reset.",
      );
  }
}

/** Adds one rule or a list of rules. If one rule is invalid, none is added. */
function addBehaviours(ledger: LedgerContext, body: unknown): Answer {
  const names = ledger.routes.map(routeName);
  const rules = (Array.isArray(body) ? body : [body]).map((rule: unknown) => parseBehaviourRule(rule, names));
  if (ledger.die === undefined && rules.some((rule) => rule.dieAfterWork)) {
    throw new LedgerError(
      "invalid_behaviour",
      `"dieAfterWork" would end the process that embeds this ledger. Run main.ts as a separate process instead.`,
    );
  }
  for (const rule of rules) ledger.behaviours.add(rule);
  return ok({ rules: ledger.behaviours.rules() });
}

/** Enters an invoice into the books, as if the vendor had sent it, and tells the receivers. */
async function receiveInvoice({ journal, sender, clock }: LedgerContext, body: unknown): Promise<Answer> {
  const invoice = journal.store.admitInvoice(parseInvoiceOrder(body));
  journal.write({ type: "invoice_received", at: clock.now().toISOString(), invoice });
  await journal.durable();
  sender.wake();
  return { status: 201, body: journal.store.invoice(invoice.id) };
}

/** Adds a receiver of events, or replaces the one with its name. Shows the receivers without their secrets. */
async function setReceiver({ journal, sender, clock }: LedgerContext, body: unknown): Promise<Answer> {
  journal.write({ type: "receiver_set", at: clock.now().toISOString(), receiver: parseReceiver(body) });
  await journal.durable();
  sender.wake();
  return ok({ receivers: journal.deliveries.receivers().map(({ name, url }) => ({ name, url })) });
}

/** Sends every event again, as services do for receivers that have lost some. */
async function resendEvents({ journal, sender, clock }: LedgerContext): Promise<void> {
  journal.write({ type: "events_resent", at: clock.now().toISOString() });
  await journal.durable();
  sender.wake();
}

/** Forgets every idempotency key, as services do after a day. Payments and requests stay on record. */
async function forgetKeys({ journal, clock }: LedgerContext): Promise<void> {
  journal.write({ type: "keys_forgotten", at: clock.now().toISOString() });
  await journal.durable();
}

/**
 * Forgets payments, received invoices, events, requests and rules, but no receiver. Requests in progress are cut off without effect, so that none affects later
 * tests.
 */
async function resetLedger(ledger: LedgerContext): Promise<void> {
  ledger.cutOff.abort();
  ledger.cutOff = new AbortController();
  ledger.behaviours.clear();
  ledger.journal.write({ type: "reset", at: ledger.clock.now().toISOString() });
  await ledger.journal.durable();
}
