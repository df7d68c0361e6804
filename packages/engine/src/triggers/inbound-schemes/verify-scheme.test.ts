import { createHmac } from "node:crypto";
import type { InboundAuthentication } from "@procedo/contract";
import { describe, expect, it } from "vitest";
import { proofHeaders, verifyScheme } from "./verify-scheme.ts";

const nowMs = 1_614_265_330_000;
const now = "1614265330";
const old = "whsec_b2xk";
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"test": 2432232314}';

type Headers = Readonly<Record<string, string | readonly string[]>>;

function verified(
  scheme: InboundAuthentication,
  headers: Headers,
  given: { readonly body?: string; readonly nowMs?: number } = {},
) {
  const lines = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat()]));
  const request = {
    header: (name: string) => lines.get(name.toLowerCase()) ?? [],
    body: new TextEncoder().encode(given.body ?? body),
    nowMs: given.nowMs ?? nowMs,
  };
  return verifyScheme(scheme, request, [secret, old]);
}

const hmacOf = (text: string, key: string | Uint8Array, encoding: "hex" | "base64" = "hex", algorithm = "sha256") =>
  createHmac(algorithm, key).update(text).digest(encoding);

const hmac = {
  scheme: "hmac",
  header: "X-Signature",
  algorithm: "sha256",
  encoding: "hex",
  prefix: "sha256=",
  timestampHeader: null,
} as const;

describe("hmac", () => {
  const signature = `sha256=${hmacOf(body, secret)}`;

  it("accepts the current secret and the old one", () => {
    expect(verified(hmac, { "x-signature": signature })).toEqual({ signedAtMs: undefined });
    expect(verified(hmac, { "x-signature": `sha256=${hmacOf(body, old)}` })).toEqual({ signedAtMs: undefined });
  });

  it.each<[string, Headers]>([
    ["no signature", {}],
    ["an empty signature", { "x-signature": "" }],
    ["the prefix alone", { "x-signature": "sha256=" }],
    ["a signature without its prefix", { "x-signature": hmacOf(body, secret) }],
    ["another prefix", { "x-signature": `sha1=${hmacOf(body, secret)}` }],
    ["another secret", { "x-signature": `sha256=${hmacOf(body, "whsec_other")}` }],
    ["a signature over another body", { "x-signature": `sha256=${hmacOf(`${body} `, secret)}` }],
    ["the header twice", { "x-signature": [signature, signature] }],
    ["two joined lines", { "x-signature": `${signature}, ${signature}` }],
  ])("refuses %s", (_how, headers) => {
    expect(verified(hmac, headers)).toBeUndefined();
  });

  it.each(["sha256", "sha512", "sha1"] as const)("signs by %s, in hex or base64", (algorithm) => {
    for (const encoding of ["hex", "base64"] as const) {
      const signed = hmacOf(body, secret, encoding, algorithm);
      const scheme = { ...hmac, algorithm, encoding, prefix: "" };
      expect(verified(scheme, { "x-signature": signed })).toBeDefined();
      expect(verified(scheme, { "x-signature": signed.slice(0, -1) })).toBeUndefined();
    }
  });

  describe("with a time", () => {
    const timed = { ...hmac, timestampHeader: "X-Timestamp" };
    const signedAt = (time: string) => ({
      "x-timestamp": time,
      "x-signature": `sha256=${hmacOf(`${time}.${body}`, secret)}`,
    });

    it("covers the time, which becomes that of the event", () => {
      expect(verified(timed, signedAt(now))).toEqual({ signedAtMs: nowMs });
      expect(verified(timed, { ...signedAt(now), "x-timestamp": "1614265331" })).toBeUndefined();
    });

    it("accepts five minutes, in both directions, and no second more", () => {
      for (const seconds of [-300, 300]) expect(verified(timed, signedAt(`${Number(now) + seconds}`))).toBeDefined();
      for (const seconds of [-301, 301]) expect(verified(timed, signedAt(`${Number(now) + seconds}`))).toBeUndefined();
    });

    it.each<[string, Headers]>([
      ["no time", { "x-signature": `sha256=${hmacOf(`.${body}`, secret)}` }],
      ["a time that is text", signedAt("now")],
      ["a signature over the body alone", { "x-timestamp": now, "x-signature": signature }],
      ["the time twice", { ...signedAt(now), "x-timestamp": [now, now] }],
    ])("refuses %s", (_how, headers) => {
      expect(verified(timed, headers)).toBeUndefined();
    });
  });
});

describe("token", () => {
  const token = { scheme: "token", header: "X-Token" } as const;
  const bearer = { scheme: "token", header: "Authorization" } as const;

  it("is the secret in a header, in Authorization after its scheme", () => {
    expect(verified(token, { "x-token": secret })).toBeDefined();
    expect(verified(token, { "x-token": old })).toBeDefined();
    expect(verified(bearer, { authorization: `Bearer ${secret}` })).toBeDefined();
    expect(verified(bearer, { authorization: `bearer ${secret}` })).toBeDefined();
  });

  it.each<[string, InboundAuthentication, Headers]>([
    ["nothing", token, {}],
    ["an empty token", token, { "x-token": "" }],
    ["a part of it", token, { "x-token": secret.slice(0, -1) }],
    ["more than it", token, { "x-token": `${secret}x` }],
    ["another one", token, { "x-token": "whsec_other" }],
    ["it twice", token, { "x-token": [secret, secret] }],
    ["it in another header", token, { authorization: `Bearer ${secret}` }],
    ["it without a scheme", bearer, { authorization: secret }],
    ["it by another scheme", bearer, { authorization: `Basic ${secret}` }],
  ])("refuses %s", (_how, scheme, headers) => {
    expect(verified(scheme, headers)).toBeUndefined();
  });
});

describe("basic", () => {
  const basic = { scheme: "basic" } as const;
  const of = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

  it("has the user name procedo and the secret as password", () => {
    expect(verified(basic, of(`procedo:${secret}`))).toBeDefined();
    expect(verified(basic, of(`procedo:${old}`))).toBeDefined();
  });

  it.each<[string, Headers]>([
    ["nothing", {}],
    ["another user name", of(`admin:${secret}`)],
    ["another password", of("procedo:whsec_other")],
    ["no password", of("procedo:")],
    ["text that is not base64", { authorization: `Basic procedo:${secret}` }],
    [
      "the header twice",
      { authorization: [of(`procedo:${secret}`).authorization, of(`procedo:${secret}`).authorization] },
    ],
  ])("refuses %s", (_how, headers) => {
    expect(verified(basic, headers)).toBeUndefined();
  });
});

describe("standard webhooks", () => {
  const standard = { scheme: "standard_webhooks" } as const;
  const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = `v1,${hmacOf(`${id}.${now}.${body}`, key, "base64")}`;
  const headers = { "webhook-id": id, "webhook-timestamp": now, "webhook-signature": signature };

  it("accepts the message of the libraries' own tests", () => {
    expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    expect(verified(standard, headers)).toEqual({ signedAtMs: nowMs });
  });

  it("accepts one good signature among several, and that of the old secret", () => {
    expect(verified(standard, { ...headers, "webhook-signature": `v1a,x v1,AAAA ${signature}` })).toBeDefined();
    const byOld = hmacOf(`${id}.${now}.${body}`, Buffer.from("b2xk", "base64"), "base64");
    expect(verified(standard, { ...headers, "webhook-signature": `v1,${byOld}` })).toBeDefined();
  });

  it.each<[string, Headers]>([
    ["no id", { ...headers, "webhook-id": [] }],
    ["another id", { ...headers, "webhook-id": "msg_2" }],
    ["no time", { ...headers, "webhook-timestamp": [] }],
    ["another time", { ...headers, "webhook-timestamp": "1614265331" }],
    ["no signature", { ...headers, "webhook-signature": [] }],
    ["an empty signature", { ...headers, "webhook-signature": "v1," }],
    ["another version", { ...headers, "webhook-signature": signature.replace("v1", "v2") }],
    ["the signature twice", { ...headers, "webhook-signature": [signature, signature] }],
    [
      "the text of the secret as the key",
      { ...headers, "webhook-signature": `v1,${hmacOf(`${id}.${now}.${body}`, secret, "base64")}` },
    ],
  ])("refuses %s", (_how, given) => {
    expect(verified(standard, given)).toBeUndefined();
  });

  it("refuses a message of more than five minutes ago, or ahead", () => {
    for (const ms of [-301_000, 301_000]) expect(verified(standard, headers, { nowMs: nowMs + ms })).toBeUndefined();
  });
});

it.each([
  [hmac, ["x-signature"]],
  [{ scheme: "token", header: "X-Token" } as const, ["x-token"]],
  [{ scheme: "standard_webhooks" } as const, ["webhook-signature"]],
  [{ scheme: "basic" } as const, []],
])("the headers that prove the origin are named: $scheme", (scheme, names) => {
  expect(proofHeaders(scheme)).toEqual(names);
});
