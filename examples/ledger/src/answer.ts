import type { ServerResponse } from "node:http";
import { LedgerError } from "./ledger-error.ts";

/** An answer: a status and JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A 200 with `body`. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** The answer to a refused request. An unexpected error is a 500 that reveals no detail to the client. */
export function refusal(error: unknown): Answer {
  if (error instanceof LedgerError) {
    return { status: error.status, body: { code: error.code, message: error.message } };
  }
  return {
    status: 500,
    body: { code: "internal", message: "The ledger failed. Check GET /payments before you send this request again." },
  };
}

/** Sends the answer. Does nothing when the client has disconnected. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const text = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...answer.headers,
  });
  response.end(text);
}
