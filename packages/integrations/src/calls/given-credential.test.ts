import { gzipSync } from "node:zlib";
import { createRedactor } from "@procedo/engine";
import { expect, test } from "vitest";
import { operation, parameter, withoutCredentials } from "../../test/calls/operations.ts";
import { withoutGivenCredential } from "./given-credential.ts";

const credential = "c2VjcmV0LW9mLWFuYQ";
const connection = { ...withoutCredentials, baseUrl: "https://ledger.test", redactor: createRedactor([]) };
const call = (args: Readonly<Record<string, string>>) => ({
  operation: operation({ inputs: [parameter("header", "authorization")] }),
  effect: "read" as const,
  args,
  connection,
  idempotencyKey: "key-1",
});
const answer = (bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}) => ({
  status: 200,
  headers: new Headers(headers),
  bytes,
});

test("a credential that an argument gave is found in an answer's content coding and in UTF-16", () => {
  const given = call({ authorization: `Bearer ${credential}` });
  const coded = withoutGivenCredential(
    answer(gzipSync(`{"echo":"${credential}"}`), { "content-encoding": "gzip", "x-echo": credential }),
    given,
  );
  expect(Buffer.from(coded.bytes).toString()).toBe('{"echo":"[redacted]"}');
  expect([...coded.headers]).toEqual([["x-echo", "[redacted]"]]);
  const wide = withoutGivenCredential(answer(Buffer.from(credential, "utf16le")), given);
  expect(Buffer.from(wide.bytes).toString("latin1")).not.toContain("c\0");
});

test("an answer to a call without one stays as it is", () => {
  const received = answer(Buffer.from(credential));
  expect(withoutGivenCredential(received, call({}))).toBe(received);
});
