import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { refusal, sendAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { answerControl } from "./control.ts";
import type { LedgerContext } from "./ledger-context.ts";
import { receiveBody } from "./request-body.ts";
import { matchRoute, routeName } from "./routes.ts";
import { settleRequest } from "./settle-request.ts";

/**
 * The ledger as a request listener. Stages of a request: body, `received` line, queue of its key, behaviours before the
 * work, the work, `settled` line, fsync, behaviours after the work, answer.
 */
export function createRequestListener(ledger: LedgerContext): RequestListener {
  return (incoming, response) => {
    serve(ledger, incoming, response).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) incoming.socket.destroy();
      else sendAnswer(response, refusal(error));
    });
  };
}

async function serve(ledger: LedgerContext, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await receiveBody(incoming);
  const [path = "", query = ""] = splitOnce(incoming.url ?? "", "?");
  const method = incoming.method ?? "";
  const cutOff = ledger.cutOff.signal;
  if (cutOff.aborted) {
    // The ledger closed during the upload of the body; its record must not change any more.
    incoming.socket.destroy();
    return;
  }
  if (path === "/_control" || path.startsWith("/_control/")) {
    const { remoteAddress } = incoming.socket;
    sendAnswer(response, await answerControl(ledger, { method, path, remoteAddress, body, headers: incoming.headers }));
    return;
  }

  const match = matchRoute(ledger.routes, method, path);
  const behaviour = match.kind === "route" ? ledger.behaviours.take(routeName(match.route)) : {};
  const key = singleHeader(incoming.headers["idempotency-key"]);
  const seq = ledger.journal.records.nextSeq();
  const text = body.kind === "text" && body.text !== "" ? body.text : null;
  ledger.journal.write({
    type: "received",
    at: ledger.clock.now().toISOString(),
    seq,
    method,
    path: incoming.url ?? "",
    key,
    body: text,
  });

  const settle = (): Promise<Answer | undefined> =>
    settleRequest(ledger, { seq, match, query, key, text, body, headers: incoming.headers, behaviour, cutOff });
  const answer = await (method === "POST" && key !== null ? ledger.keys.run(key, settle) : settle());
  if (behaviour.lateAnswerMs !== undefined) await ledger.clock.sleep(behaviour.lateAnswerMs, cutOff);
  if (behaviour.dieAfterWork && !cutOff.aborted) ledger.die?.();
  if (answer === undefined || cutOff.aborted) incoming.socket.destroy();
  else sendAnswer(response, answer);
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function singleHeader(value: string | readonly string[] | undefined): string | null {
  return typeof value === "string" ? value : (value?.join(", ") ?? null);
}
