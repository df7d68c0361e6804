import { gzipSync } from "node:zlib";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { createRedactor } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { operation, parameter, withoutCredentials } from "../../test/calls/operations.ts";
import { bothRedactors, givenCredential } from "./given-credential.ts";
import { readAnswer } from "./read-answer.ts";

const credential = "c2VjcmV0LW9mLWFuYQ";
const secret = "secret-of-the-connection";
const connection = { ...withoutCredentials, baseUrl: "https://ledger.test", redactor: createRedactor([secret]) };

/** The redacted response to a call with this argument. */
function read(authorization: JsonValue | undefined, body: string | Buffer, headers: Readonly<Record<string, string>>) {
  const args: JsonObject = authorization === undefined ? {} : { authorization };
  const one = operation({ inputs: [parameter("header", "authorization")] });
  const given = { operation: one, effect: "once" as const, args, connection, idempotencyKey: "key-1" };
  const ofArgument = givenCredential(given);
  const redactor = bothRedactors(ofArgument, connection.redactor);
  const request = { method: "POST", url: "https://ledger.test/it", headers: {} };
  const call = {
    action: "it",
    effect: given.effect,
    answersJson: false,
    request,
    redactor,
    unknownToEngine: () => ofArgument,
  };
  return readAnswer(call, { status: 201, headers: new Headers(headers), bytes: Buffer.from(body) });
}

const json = { "content-type": "application/json" };

describe("a credential in an argument is removed from the response", () => {
  const echo = JSON.stringify({ echo: credential });
  test.each<[string, string | Buffer, Readonly<Record<string, string>>]>([
    ["in UTF-8", echo, json],
    ["in UTF-16", Buffer.from(echo, "utf16le"), json],
    ["in a content coding", gzipSync(echo), { ...json, "content-encoding": "gzip" }],
    ["in a header", "{}", { ...json, "x-echo": credential }],
    ["in bytes", credential, { "content-type": "image/png" }],
  ])("%s", (_name, body, headers) => {
    const answer = read(`Bearer ${credential}`, body, headers);
    const { base64 = "" } = answer.output as { base64?: string };
    expect(JSON.stringify(answer) + Buffer.from(base64, "base64").toString()).not.toContain(credential);
    expect(JSON.stringify(answer) + Buffer.from(base64, "base64").toString()).toContain("[redacted]");
    expect(answer.unusable).toBeUndefined();
  });

  test("when it is a number in JSON, which stays JSON", () => {
    const body = '{"payment":"p1","token":12345678}';
    for (const given of ["Token 12345678", 12345678]) {
      const { output, unusable } = read(given, body, json);
      expect([output, unusable]).toEqual([{ payment: "p1", token: "[redacted]" }, undefined]);
    }
  });

  test("when it is the password of Basic", () => {
    const basic = `Basic ${Buffer.from("ana:correct-horse").toString("base64")}`;
    expect(read(basic, '{"echo":"correct-horse"}', json).output).toEqual({ echo: "[redacted]" });
  });
});

test("a response to a call without a credential stays unchanged", () => {
  expect(read(undefined, JSON.stringify({ echo: credential }), json).output).toEqual({ echo: credential });
});

test("two redactors remove the secrets of both", () => {
  const both = bothRedactors(createRedactor([credential]), createRedactor([secret]));
  const text = `${credential} ${secret} x`;
  expect(both.text(text)).toBe("[redacted] [redacted] x");
  expect(both.cut(text, 14)).toBe("[redacted] [re");
  expect([both.value([text]), both.excerpt([text])]).toEqual([
    ["[redacted] [redacted] x"],
    ["[redacted] [redacted] x"],
  ]);
  expect(Buffer.from(both.bytes(Buffer.from(text))).toString()).toBe("[redacted] [redacted] x");
});
