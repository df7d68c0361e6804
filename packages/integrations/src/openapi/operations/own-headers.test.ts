import { isFramingHeader } from "@procedo/engine";
import { describe, expect, it } from "vitest";
import { isOwnHeader } from "./own-headers.ts";

const headers = [
  ...["Accept", "Content-Type", "Authorization", "Host", "Content-Length", "Connection", "Expect", "HTTP2-Settings"],
  ...["Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-Authorization", "Cookie", "X-Tenant"],
  ...["Accept-Language", "Idempotency-Key", "If-Match", "Content-MD5", "User-Agent"],
];

describe("a header that requests have from elsewhere", () => {
  it.each(headers)("is every one that a call could not send: %s", (name) => {
    const ofOpenApi = ["Accept", "Content-Type", "Authorization"].includes(name);
    expect(isOwnHeader(name)).toBe(ofOpenApi || isFramingHeader(name));
  });
});
