import { isValidSignature } from "@procedo/webhooks";
import { expect, test } from "vitest";
import { createRequests } from "./requests.ts";
import { SIGNING_SECRET, type Target } from "./subject.ts";

const target: Target = {
  port: 8080,
  paths: ["/v1/runs", "/v2/runs"],
  headers: { Authorization: "Bearer key" },
  signed: true,
  answer: { status: 202, holds: "" },
};

function parts(request: string): { readonly headers: Record<string, string>; readonly body: string } {
  const [head = "", body = ""] = request.split("\r\n\r\n");
  return {
    headers: Object.fromEntries(
      head
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(": ")),
    ),
    body,
  };
}

test("no two requests have the same idempotency key, even when bodies repeat", () => {
  const requestOf = createRequests(target, "run");
  const keys = Array.from({ length: 1500 }, (_, n) => parts(requestOf(n)).headers["Idempotency-Key"]);
  expect(new Set(keys).size).toBe(1500);
});

test("requests take the paths of their target in turn", () => {
  const requestOf = createRequests(target, "run");
  const paths = [0, 1, 2].map((n) => requestOf(n).split(" ")[1]);
  expect(paths).toEqual(["/v1/runs", "/v2/runs", "/v1/runs"]);
});

test("a request has the length, the headers and the signature of its body", () => {
  const { headers, body } = parts(createRequests(target, "sync run")(7));
  expect(headers).toMatchObject({ Host: "127.0.0.1:8080", Authorization: "Bearer key" });
  expect(headers["Content-Length"]).toBe(String(body.length));
  expect(isValidSignature({ body, signature: headers["X-Service-Signature"], secret: SIGNING_SECRET })).toBe(true);
  expect(JSON.parse(body)).toMatchObject({ data: { currency: "EUR" }, control: { executionMode: "sync" } });
});

test("a request that needs no signature has none", () => {
  const { headers } = parts(createRequests({ ...target, signed: false }, "delivery")(0));
  expect(headers).not.toHaveProperty("X-Service-Signature");
});
