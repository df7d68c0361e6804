import { createRedactor, type ServiceAccount } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import type { ServiceConnection, ServiceHttp } from "./service-http.ts";
import { keyAs, serviceRequest, type ServiceRequest } from "./service-request.ts";

const key = "AbCdEfGhIjKlMnOpQrStUvWxYz012345";
const http: ServiceHttp<{ region: string }, { token: string }> = {
  baseUrl: ({ environment, settings }) => `https://${environment}.${settings.region}.bank.test/v1/`,
  headers: { "Bank-Version": "2026-01-01" },
  credentials: ({ secrets }) => ({ Authorization: `Bearer ${secrets.token}` }),
  idempotency: { header: "Idempotency-Key" },
};

function built(
  request: ServiceRequest,
  { of = http, attempt = key, account }: { of?: typeof http; attempt?: string | null; account?: ServiceAccount } = {},
) {
  const secrets = { token: "very-secret" };
  const redactor = createRedactor(Object.values(secrets));
  const connection = {
    environment: "sandbox",
    settings: { region: "eu" },
    secrets,
    account,
    redactor,
    idempotencyKey: attempt ?? undefined,
  } as const;
  const { body, ...sent } = serviceRequest(of, connection, request);
  return { ...sent, body: body === undefined ? undefined : new TextDecoder().decode(body) };
}

describe("a secret in a body", () => {
  const request = {
    method: "POST",
    path: "/accounts",
    json: { count: 5 },
    secrets: { access_token: "token" },
  } as const;

  test("is sent, and is not recorded", () => {
    expect(built(request)).toMatchObject({
      body: '{"count":5,"access_token":"very-secret"}',
      recorded: { body: { count: 5, access_token: "[redacted]" } },
    });
  });

  test("is not replaced by a member of the body, and needs no other member", () => {
    expect(built({ ...request, json: { access_token: "mine" } }).body).toBe('{"access_token":"very-secret"}');
    expect(built({ method: "POST", path: "/accounts", secrets: { access_token: "token" } }).body).toBe(
      '{"access_token":"very-secret"}',
    );
  });

  test.each(["other", "toString", "__proto__"])("keeps a request from being sent that names %s", (name) => {
    expect(() => built({ ...request, secrets: { access_token: name } })).toThrow(
      expect.objectContaining({ outcome: "not_sent", mayRetry: false }),
    );
  });
});

test("a request may have the idempotency key in another place than the others of its service", () => {
  const request = { method: "POST", path: "/payments", json: { cents: 5 }, idempotency: { member: "key" } } as const;
  const { headers, body } = built(request);
  expect(body).toBe(`{"cents":5,"key":"${key}"}`);
  expect(headers).not.toHaveProperty("idempotency-key");
  expect(JSON.stringify(built({ ...request, idempotency: {} }))).not.toContain(key);
});

describe("a request of a service", () => {
  test("has the base URL, the constant headers, the key and the credentials, which are not recorded", () => {
    const request = built({ method: "POST", path: "/payments", json: { cents: 1_250 } });
    expect(request).toMatchObject({
      method: "POST",
      url: "https://sandbox.eu.bank.test/v1/payments",
      headers: { "bank-version": "2026-01-01", authorization: "Bearer very-secret", "idempotency-key": key },
      body: '{"cents":1250}',
      recorded: { headers: { authorization: "[redacted]", "bank-version": "2026-01-01" }, body: { cents: 1_250 } },
    });
    expect(JSON.stringify(request.recorded)).not.toContain("very-secret");
  });

  test("writes lists and objects of a query and a form, and leaves out what is undefined", () => {
    const fields = { customer: "cus_1", expand: ["a", "b"], metadata: { order: "7 & 8" }, limit: undefined };
    const written = "customer=cus_1&expand=a&expand=b&metadata%5Border%5D=7%20%26%208";
    expect(built({ path: "/charges", query: fields }).url).toBe(`https://sandbox.eu.bank.test/v1/charges?${written}`);
    expect(built({ method: "POST", path: "/charges", form: fields }).body).toBe(written);
  });

  test("leaves out members that are undefined at any depth, and nothing else", () => {
    const given = { created: { gte: 5, lt: undefined }, lines: [{ price: null, tax: undefined }, "", 0, false] };
    expect(built({ path: "/charges", query: { ...given, lines: undefined } }).url).toMatch(
      /charges\?created%5Bgte%5D=5$/,
    );
    const { body } = built({ method: "POST", path: "/charges", json: given });
    expect(body).toBe('{"created":{"gte":5},"lines":[{"price":null},"",0,false]}');
  });

  test.each([
    ["..", "a segment that leads upwards"],
    ["", "an empty segment"],
    ["a\nb", "a control character"],
  ])("refuses the path value %j: %s", (id) => {
    expect(() => built({ path: "/payments/{id}", params: { id } })).toThrow();
  });

  test("keeps a path value within its segment", () => {
    const { url } = built({ path: "/payments/{id}/refunds", params: { id: "a/b?c#d" } });
    expect(url).toBe("https://sandbox.eu.bank.test/v1/payments/a%2Fb%3Fc%23d/refunds");
  });

  test("carries its key as a member of the body where the service wants it there", () => {
    const of = { ...http, idempotency: { member: "reference", form: "uuid" } } as const;
    const { body, headers } = built({ method: "POST", path: "/payments", json: { cents: 1 } }, { of });
    expect(JSON.parse(body ?? "")).toEqual({ cents: 1, reference: keyAs("uuid", key) });
    expect(headers).not.toHaveProperty("idempotency-key");
    expect(built({ method: "POST", path: "/q", json: { cents: 1 } }, { of, attempt: null }).body).toBe('{"cents":1}');
  });

  test("carries a key whose place is the body also without another member, and refuses a body that has no place", () => {
    const of = { ...http, idempotency: { member: "reference" } } as const;
    expect(JSON.parse(built({ method: "POST", path: "/confirm" }, { of }).body ?? "")).toEqual({ reference: key });
    expect(() => built({ method: "POST", path: "/batch", json: [1, 2] }, { of })).toThrow("has to be an object");
  });

  test("refuses a form with JSON, and a path value that is missing", () => {
    expect(() => built({ method: "POST", path: "/", form: { a: 1 }, json: { b: 2 } })).toThrow("Nothing was sent.");
    const missing = { id: undefined } as unknown as { id: string };
    expect(() => built({ path: "/payments/{id}", params: missing })).toThrow('"id" is missing');
  });

  test("names the account of its connection in a header where the service wants that, and needs no credentials", () => {
    const { credentials: _credentials, ...others } = http;
    const of = { ...others, headers: ({ account }: ServiceConnection<unknown>) => ({ tenant: account?.id ?? "none" }) };
    const { headers, recorded } = built({ path: "/" }, { of, account: { id: "acc_1", name: "Acme" } });
    expect([headers["tenant"], recorded.headers["tenant"]]).toEqual(["acc_1", "acc_1"]);
    expect(headers).not.toHaveProperty("authorization");
    expect(built({ path: "/" }, { of }).headers["tenant"]).toBe("none");
  });

  test("lets no header of the request replace the credentials", () => {
    expect(built({ path: "/", headers: { authorization: "Bearer other" } }).headers["authorization"]).toBe(
      "Bearer very-secret",
    );
  });
});

test("a key as a UUID is of version 8, and stays the same", () => {
  expect(keyAs("uuid", key)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(keyAs("uuid", key)).toBe(keyAs("uuid", key));
  expect(keyAs("uuid", `${key}x`)).not.toBe(keyAs("uuid", key));
  expect(keyAs(undefined, key)).toBe(key);
});
