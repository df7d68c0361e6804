import type { IncomingHttpHeaders } from "node:http";
import { ok, refusal } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { checkBearerToken } from "./bearer-token.ts";
import type { Behaviour } from "./behaviours.ts";
import { LedgerError } from "./ledger-error.ts";
import { makePayment } from "./make-payment.ts";
import type { PaymentResult } from "./make-payment.ts";
import { parseBody } from "./request-body.ts";
import type { ReceivedBody } from "./request-body.ts";
import type { LedgerContext } from "./ledger-context.ts";
import { readQuery } from "./routes.ts";
import type { RouteMatch } from "./routes.ts";

/** A request recorded as received. */
export interface ReceivedRequest {
  readonly seq: number;
  readonly match: RouteMatch;
  readonly query: string;
  readonly key: string | null;
  readonly text: string | null;
  readonly body: ReceivedBody;
  readonly headers: IncomingHttpHeaders;
  readonly behaviour: Behaviour;
  readonly cutOff: AbortSignal;
}

/** The outcome of a request, before it is recorded. */
type Decision = { readonly answer: Answer; readonly payment?: PaymentResult };

/** Does the work of a request and records it. Undefined means that the connection must be cut. */
export async function settleRequest(ledger: LedgerContext, request: ReceivedRequest): Promise<Answer | undefined> {
  const { behaviour, cutOff } = request;
  if (behaviour.delayMs !== undefined) await ledger.clock.sleep(behaviour.delayMs, cutOff);
  // No await until the line is written, so that a cut-off request has no effect and no line after the reset.
  if (cutOff.aborted) return undefined;
  const dropsBefore = behaviour.dropBeforeWork === true || request.body.kind === "incomplete";
  const decision = dropsBefore ? undefined : decide(ledger, request);
  const drops = dropsBefore || behaviour.dropAfterWork === true || behaviour.dieAfterWork === true;
  writeSettled(ledger, request.seq, drops ? null : (decision?.answer.status ?? null), decision?.payment);
  // Payments and repeated answers must survive a crash of the machine; reads need no flush.
  if (decision?.payment) await ledger.journal.durable();
  if (decision?.payment?.kind === "executed") ledger.sender.wake();
  return drops ? undefined : decision?.answer;
}

function writeSettled(
  ledger: LedgerContext,
  seq: number,
  status: number | null,
  result: PaymentResult | undefined,
): void {
  const line = { type: "settled", at: ledger.clock.now().toISOString(), seq, status } as const;
  ledger.journal.write(
    result?.kind === "executed"
      ? { ...line, executed: true, payment: result.payment }
      : { ...line, executed: false, replayed: result?.kind === "replayed" },
  );
}

function decide(ledger: LedgerContext, request: ReceivedRequest): Decision {
  try {
    return work(ledger, request);
  } catch (error) {
    if (error instanceof LedgerError) return { answer: refusal(error) };
    throw error;
  }
}

/** @throws {LedgerError} the reason of a refusal. */
function work(ledger: LedgerContext, request: ReceivedRequest): Decision {
  const { match, behaviour, headers } = request;
  const { status } = behaviour;
  if (status !== undefined) {
    return {
      answer: {
        status,
        body: { code: "injected_failure", message: `A behaviour injected the status ${status}. No work was done.` },
      },
    };
  }
  if (ledger.token !== undefined && !(match.kind === "route" && match.route.open))
    checkBearerToken(ledger.token, headers.authorization);
  if (match.kind === "none")
    throw new LedgerError("not_found", "There is no such path. See /openapi.json for the paths.");
  if (match.kind === "other_method") {
    const allow = match.allowed.join(", ");
    const error = new LedgerError("method_not_allowed", `The method is not allowed at this path. Use one of ${allow}.`);
    return { answer: { ...refusal(error), headers: { allow } } };
  }

  const { route } = match;
  const query = readQuery(route, request.query);
  if (route.method === "GET")
    return { answer: ok(route.read(ledger.journal.store, { ...query, ...match.parameters })) };

  const { store, records } = ledger.journal;
  const body = (): unknown => parseBody(request.body, headers["content-type"]);
  const payment = makePayment({ key: request.key, text: request.text, body, store, records, now: ledger.clock.now() });
  const replay = payment.kind === "replayed" ? { "idempotent-replay": "true" } : undefined;
  const answer = {
    status: 201,
    body: payment.payment,
    headers: { location: `/payments/${payment.payment.id}`, ...replay },
  };
  return { answer, payment };
}
