import type { ServerResponse } from "node:http";
import { LedgerError } from "./ledger-error.ts";

/** What is sent back: a status and JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A 200 with `body`. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** The answer for a refusal. An error that nobody foresaw is a 500 that tells the client nothing about its inside. */
export function refusal(error: unknown): Answer {
  if (error instanceof LedgerError) {
    return { status: error.status, body: { code: error.code, message: error.message } };
  }
  return {
    status: 500,
    body: { code: "internal", message: "The ledger failed; read GET /payments before you send this again." },
  };
}

/** Sends the answer. Does nothing when the client has gone. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const text = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...answer.headers,
  });
  response.end(text);
}
