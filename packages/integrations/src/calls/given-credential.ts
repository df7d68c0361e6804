import { createRedactor, type Redactor } from "@procedo/engine";
import { decodeContent } from "./content-coding.ts";
import type { OperationCall } from "./operation-request.ts";
import { maxDecodedBytes, type ReceivedAnswer } from "./read-answer.ts";

/**
 * An answer without the credential that an argument `Authorization` gave the request, should the service write it back. The
 * argument itself is in the run's record, where its author put it, and nowhere else.
 */
export function withoutGivenCredential(answer: ReceivedAnswer, call: OperationCall): ReceivedAnswer {
  const redactor = givenCredential(call);
  if (redactor === undefined) return answer;
  const headers = new Headers([...answer.headers].map(([name, value]) => [name, redactor.text(value)]));
  const decoded = decodeContent(answer.bytes, headers.get("content-encoding"), maxDecodedBytes);
  // In a content coding it would not be found.
  if (decoded !== undefined) headers.delete("content-encoding");
  return { ...answer, headers, bytes: redactor.bytes(decoded ?? answer.bytes) };
}

function givenCredential({ operation, args }: OperationCall): Redactor | undefined {
  const input = operation.inputs.find(({ in: place, name }) => place === "header" && /^authorization$/i.test(name));
  const value = input === undefined || !Object.hasOwn(args, input.input) ? undefined : args[input.input];
  if (typeof value !== "string") return undefined;
  // Without its scheme, such as "Bearer", as well.
  const bare = value.trim().replace(/^\S+\s+/, "");
  return createRedactor([value.trim(), bare]);
}
