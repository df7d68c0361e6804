import { createRedactor, type Redactor } from "@procedo/engine";
import { ownMember } from "./body-members.ts";
import type { OperationCall } from "./operation-request.ts";

/**
 * Removes the credential in an `Authorization` argument from the response, in case the service echoes it. The argument
 * itself stays in the run's record only, where its author put it.
 */
export function givenCredential({ operation, args }: OperationCall): Redactor {
  const input = operation.inputs.find(({ in: place, name }) => place === "header" && /^authorization$/i.test(name));
  const value = input === undefined ? undefined : ownMember(args, input.input);
  if (typeof value !== "string" && typeof value !== "number") return createRedactor([]);
  const whole = String(value).trim();
  // Also without its scheme, such as "Bearer".
  const bare = whole.replace(/^\S+\s+/, "");
  const password = /^basic\s/i.test(whole)
    ? Buffer.from(bare, "base64")
        .toString()
        .replace(/^[^:]*:?/, "")
    : "";
  return createRedactor([whole, bare, password]);
}

/** Applies both redactors. */
export function bothRedactors(first: Redactor, second: Redactor): Redactor {
  return {
    value: (value) => second.value(first.value(value)),
    excerpt: (value) => second.excerpt(first.excerpt(value)),
    text: (text) => second.text(first.text(text)),
    cut: (text, maxChars) => second.cut(first.text(text), maxChars),
    bytes: (bytes) => second.bytes(first.bytes(bytes)),
  };
}
