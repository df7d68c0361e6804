import { ProcedoError } from "@procedo/contract";
import type * as z from "zod";

/**
 * An answer as the contract describes it. Members that a newer service adds are left out, so that they break no older
 * client; anything else that does not fit is an error.
 *
 * @throws ProcedoError `internal`
 */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const first = schema.safeParse(answer);
  if (first.success) return first.data;
  for (const issue of first.error.issues) {
    if (issue.code === "unrecognized_keys") removeMembers(memberAt(answer, issue.path), issue.keys);
  }
  const second = schema.safeParse(answer);
  if (second.success) return second.data;
  const [problem] = second.error.issues;
  throw new ProcedoError(
    "internal",
    `The answer is none of this service's: ${problem?.path.join(".") ?? ""} ${problem?.message ?? ""}. ` +
      "Is the address right, and is the client not much older than the service?",
  );
}

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
}

function removeMembers(value: unknown, names: readonly string[]): void {
  if (isObject(value)) for (const name of names) delete value[name];
}

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === "object" && value !== null;
