import type { InboundAuthentication } from "@procedo/contract";
import { isSameText } from "./same-text.ts";
import { onlyLine, type SchemeRequest } from "./scheme-request.ts";

type Token = Extract<InboundAuthentication, { readonly scheme: "token" }>;

/** The secret in a header; in `Authorization`, after `Bearer ` (RFC 6750, 2.1). */
export function isToken({ header }: Token, request: SchemeRequest, secret: string): boolean {
  const line = onlyLine(request, header);
  if (line === undefined) return false;
  const token = header.toLowerCase() === "authorization" ? /^bearer +(.*)$/i.exec(line)?.[1] : line;
  return token !== undefined && isSameText(token, secret);
}
