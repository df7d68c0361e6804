import { APICallError, JSONParseError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { EgressError } from "../egress/egress-error.ts";
import { createRedactor, nothingToRedact } from "../secrets/redact.ts";
import { BrokenAnswer, IncompleteReply, modelFailure, type ModelFailure } from "./model-failure.ts";

/* The classification of each error is tested with whole attempts, in ask-model.test.ts. */

function failureOf(error: unknown): ModelFailure {
  return modelFailure(error, { shownModel: 'model "m" (own.chat)', redactor: nothingToRedact, nowMs: 0 });
}

function answered(statusCode: number): ModelFailure {
  return failureOf(
    new APICallError({
      message: "No.",
      url: "https://a.example",
      requestBodyValues: {},
      statusCode,
      isRetryable: false,
    }),
  );
}

describe("the cost of an attempt without a reply", () => {
  test.each([302, 400, 401, 408, 425, 429, 500, 503, 529])(
    "is the call without tokens if the answer is %i",
    (status) => {
      expect(answered(status).cost).toBe("call");
    },
  );

  test.each([200, 504, 524])("is unknown if the answer is %i: the model may have worked", (status) => {
    expect(answered(status)).not.toHaveProperty("cost");
  });

  test("is unknown if the answer had begun, even if it broke off with a refusal", () => {
    const cause = new APICallError({
      message: "Busy.",
      url: "https://a.example",
      requestBodyValues: {},
      statusCode: 529,
    });
    const failure = failureOf(new BrokenAnswer("The stream ended with an error.", { cause }));
    expect(failure).toMatchObject({ retry: {} });
    expect(failure).not.toHaveProperty("cost");
  });

  test("is nothing if the guarded client reports, at any depth of causes, that nothing was sent", () => {
    const unknownHost = new EgressError("dns", "The host is not known.", { sent: "no" });
    const wrapped = Object.assign(new TypeError("fetch failed"), { cause: unknownHost });
    expect(failureOf(wrapped)).toMatchObject({ cost: "nothing", retry: {} });
    const refused = failureOf(new EgressError("destination", "A private address.", { sent: "no" }));
    expect(refused.cost).toBe("nothing");
    expect(refused).not.toHaveProperty("retry");
  });

  test.each([
    ["may have been sent", new EgressError("connection_lost", "Lost.", { sent: "maybe" })],
    ["bypassed the guarded client", Object.assign(new Error("refused"), { code: "ECONNREFUSED" })],
    ["failed in the model's own code", new Error("boom")],
  ])("is unknown if the request %s", (_what, error) => {
    expect(failureOf(error)).not.toHaveProperty("cost");
  });
});

describe("the model's key", () => {
  const key = 'sk-own/7f+3a&91"e5c2';
  const context = { shownModel: 'model "m" (own.chat)', redactor: createRedactor([key]), nowMs: 0 };
  const written = encodeURIComponent(encodeURIComponent(key));
  const call = (message: string, responseBody: string) =>
    new APICallError({ message, url: "https://a.example", requestBodyValues: {}, statusCode: 400, responseBody });

  test("appears in no error, not even in part, wherever the message and the body are cut", () => {
    for (let before = 0; before <= written.length; before++) {
      const [message, body] = [300, 500].map((most) => `${"x".repeat(most - before)}${written} and more`) as [
        string,
        string,
      ];
      for (const error of [
        call(message, body),
        new BrokenAnswer("", { cause: { message } }),
        new IncompleteReply(message),
      ]) {
        const reported = JSON.stringify(modelFailure(error, context));
        expect(reported).toContain("xxx");
        expect(reported).not.toMatch(/x[sk]|sk-/);
      }
    }
  });

  test("appears in no error that quotes an unreadable answer", () => {
    const text = `{"key": ${key}}`;
    const cause = new JSONParseError({ text, cause: parseFault(text) });
    for (const error of [cause, new BrokenAnswer("", { cause }), parseFault(text)]) {
      expect(JSON.stringify(modelFailure(error, context))).not.toContain("sk-");
    }
  });
});

function parseFault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
