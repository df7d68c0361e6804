import type { JsonObject, JsonValue } from "@procedo/contract";
import type { BodyInput, ImportedOperation } from "../openapi/imported-api.ts";

export interface BodyMember {
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * The members of a body in the order of the arguments. The arguments are frozen with the call, so every attempt sends
 * the same bytes under its key, even when the document was reordered in the meantime.
 */
export function bodyMembers({ inputs, body }: ImportedOperation, args: JsonObject): readonly BodyMember[] {
  const known = new Map(inputs.map((input) => [input.input, input]));
  const named = new Set(
    inputs.flatMap((input) => (input.in === "body" && Object.hasOwn(args, input.input) ? [input.name] : [])),
  );
  return Object.entries(args).flatMap(([argument, value]) => {
    const input = known.get(argument);
    if (input !== undefined) return input.in === "body" ? [{ name: input.name, value }] : [];
    return body?.open === true && !named.has(argument) ? [{ name: argument, value }] : [];
  });
}

/** The argument that provides the whole body. */
export function wholeBody({ inputs }: ImportedOperation, args: JsonObject): JsonValue | undefined {
  const input = inputs.find((candidate): candidate is BodyInput => candidate.in === "body");
  return input === undefined ? undefined : ownMember(args, input.input);
}

export function ownMember(args: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}
