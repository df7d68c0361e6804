import { isFramingHeader } from "@procedo/contract/syntax";
import { describe, expect, it } from "vitest";
import { isOwnHeader } from "./own-headers.ts";

const headers = [
  ...["Accept", "Content-Type", "Authorization", "Host", "Content-Length", "Connection", "Expect", "HTTP2-Settings"],
  ...["Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-Authorization", "Cookie", "X-Tenant"],
  ...["Accept-Language", "Idempotency-Key", "If-Match", "Content-MD5", "User-Agent"],
];

describe("a header that requests already have", () => {
  it.each(headers)("is any that a call cannot send, and in OpenAPI 3.0 three more: %s", (name) => {
    const ofOpenApi = ["Accept", "Content-Type", "Authorization"].includes(name);
    expect(isOwnHeader(name, "openapi-3.0")).toBe(ofOpenApi || isFramingHeader(name));
    expect(isOwnHeader(name, "swagger-2.0")).toBe(isFramingHeader(name));
  });
});
