import { describe, expect, test } from "vitest";
import { ActionError } from "../integrations/action-error.ts";
import { EgressError } from "../egress/egress-error.ts";
import { readFailure } from "./failure.ts";

const caused = (cause: unknown): Error => new Error("outer", { cause });
const unsent = (failure: EgressError["failure"]): Error => new EgressError(failure, "no", { sent: "no" });
const sent = (failure: EgressError["failure"]): Error => new EgressError(failure, "no", { sent: "maybe" });
const coded = (code: string): Error => Object.assign(new Error("inner"), { code });

describe("reading an action's exception", () => {
  test.each([
    ["a plain ActionError: refused", new ActionError("no"), { effect: "none", retryable: false }],
    ["a refusal that may pass", new ActionError("no", { retryable: true }), { effect: "none", retryable: true }],
    ["surely not sent", new ActionError("no", { outcome: "not_sent" }), { effect: "none", retryable: true }],
    [
      "not sent, and hopeless",
      new ActionError("no", { outcome: "not_sent", retryable: false }),
      { effect: "none", retryable: false },
    ],
    ["unknown", new ActionError("no", { outcome: "unknown" }), { effect: "unknown", retryable: true }],
    ["an ActionError as the cause", caused(new ActionError("no")), { effect: "none", retryable: false }],
    ["an ActionError deep down", caused(caused(caused(new ActionError("no")))), { effect: "none", retryable: false }],
    ["any error", new Error("no"), { effect: "unknown", retryable: true }],
    [
      "a system error after which bytes may have been sent",
      coded("ECONNRESET"),
      { effect: "unknown", retryable: true },
    ],
    ["a broken pipe", coded("EPIPE"), { effect: "unknown", retryable: true }],
    ["a timeout", coded("ETIMEDOUT"), { effect: "unknown", retryable: true }],
    ["a connection that was refused to another client", coded("ECONNREFUSED"), { effect: "unknown", retryable: true }],
    ["a request that the guarded client did not send", unsent("connect"), { effect: "none", retryable: true }],
    ["a request that it may have sent", sent("connection_lost"), { effect: "unknown", retryable: true }],
    ["a request that it may never send", unsent("destination"), { effect: "none", retryable: false }],
    ["a request that it withheld", caused(unsent("withheld")), { effect: "none", retryable: true }],
    ["a text", "no", { effect: "unknown", retryable: true }],
    ["nothing", undefined, { effect: "unknown", retryable: true }],
    ["null", null, { effect: "unknown", retryable: true }],
    ["an object that is no error", { message: "no" }, { effect: "unknown", retryable: true }],
  ])("%s", (_name, error, expected) => {
    expect(readFailure(error, false)).toMatchObject(expected);
  });

  test("an unsent request does not rule out the effect of an earlier request", () => {
    expect(readFailure(unsent("connect"), true)).toMatchObject({ effect: "unknown" });
    expect(readFailure(new ActionError("no"), true)).toMatchObject({ effect: "none" });
  });

  describe("of an attempt that the engine aborted gives the engine's reason", () => {
    const reason = new Error("stopped by a shutdown");
    const aborted = new EgressError("aborted", 'The request to "bank" was aborted.', {
      sent: "maybe",
      cause: reason,
    });
    const abortError = Object.assign(new Error("This operation was aborted"), { name: "AbortError" });

    test.each([
      ["the reason itself", reason],
      ["the guarded client's error", aborted],
      [
        "an ActionError that has it as its cause",
        new ActionError(aborted.message, { outcome: "unknown", cause: aborted }),
      ],
      ["another client's error", abortError],
      ["an ActionError around that", new ActionError("aborted", { outcome: "unknown", cause: abortError })],
      ["an unrelated error", new Error("socket hang up")],
      ["a deadline that ended in the same moment", sent("timeout")],
    ])("%s", (_name, error) => {
      expect(readFailure(error, true, reason)).toMatchObject({ effect: "unknown", message: "stopped by a shutdown" });
    });

    test("unless the action itself reports its outcome", () => {
      const queued = new ActionError("It is still queued.", { outcome: "not_sent" });
      expect(readFailure(queued, false, reason)).toMatchObject({ effect: "none", message: "It is still queued." });
    });
  });

  test("a cyclic chain of causes is read to a bounded depth", () => {
    const error = new Error("round");
    error.cause = error;
    expect(readFailure(error, false)).toMatchObject({ effect: "unknown", message: "round" });
  });

  test("the message is the outermost one, and never empty", () => {
    expect(readFailure(caused(new ActionError("inner")), false).message).toBe("outer");
    for (const error of [new Error(""), undefined, 5, {}]) expect(readFailure(error, false).message).not.toBe("");
  });

  test("the message is not cut, because secrets are removed before anything is cut", () => {
    expect(readFailure(new Error("x".repeat(10_000)), false).message).toHaveLength(10_000);
  });

  test("the excerpt in an error of JSON.parse is omitted, because it may hold half of a secret", () => {
    for (const text of [
      '{"token": tok_0123456789abcdef}',
      "tok_0123456789abcdef",
      `{"a":"${"b".repeat(90)}" tok_01234567`,
    ]) {
      try {
        JSON.parse(text);
        expect.unreachable();
      } catch (error) {
        expect(readFailure(error, false).message).not.toMatch(/tok|bbb/);
        const wrapped = new Error(`The bank: ${error instanceof Error ? error.message : ""}`);
        expect(readFailure(wrapped, false).message).not.toMatch(/tok|bbb/);
      }
    }
    expect(readFailure(new Error('"amount" is not valid'), false).message).toBe('"amount" is not valid');
  });

  test("details and the requested wait are kept", () => {
    const error = new ActionError("no", { details: { field: "x" }, retryable: true, retryAfterMs: 5_000 });
    expect(readFailure(error, false)).toMatchObject({ details: { field: "x" }, retryAfterMs: 5_000 });
  });
});
