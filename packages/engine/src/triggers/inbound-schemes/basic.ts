import { isSameText } from "./same-text.ts";
import { onlyLine, type SchemeRequest } from "./scheme-request.ts";

const userName = "procedo";

/** HTTP Basic (RFC 7617) with the secret as the password. */
export function isBasic(request: SchemeRequest, secret: string): boolean {
  const credentials = /^basic +(.*)$/i.exec(onlyLine(request, "authorization") ?? "")?.[1];
  if (credentials === undefined) return false;
  return isSameText(credentials, Buffer.from(`${userName}:${secret}`).toString("base64"));
}
