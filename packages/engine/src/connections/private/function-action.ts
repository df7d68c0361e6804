import { hash } from "node:crypto";
import type { ErrorDetail, ParsedFunctionDeclaration } from "@procedo/contract";
import { asPublished, compileSchema, type SchemaResult } from "@procedo/procedure";
import { ActionError } from "../../integrations/action-error.ts";
import type { Action } from "../../integrations/integration.ts";

/** A function that clients serve, as an action of their connection. */
export function functionAction(declared: ParsedFunctionDeclaration): Action {
  const { name, description, input, idempotent, idempotencyKeyTtlMs, requiresReview } = declared;
  let compiled: SchemaResult | undefined;
  return {
    name,
    description,
    effect: idempotent ? "idempotent" : "once",
    input,
    output: undefined,
    revision: revisionOf(declared),
    deprecated: false,
    operation: undefined,
    timeoutMs: undefined,
    idempotencyKeyTtlMs,
    handOut: { requiresReview },
    check: (args) => {
      // It may have been declared under earlier rules, and a run may wait to call it.
      compiled ??= compileSchema(declared.input, asPublished);
      return compiled.ok ? compiled.validator.validate(args) : compiled.problems;
    },
    call: async () => {
      const message = `"${name}" runs in the customer's network and cannot be called from here.`;
      throw new ActionError(message, { outcome: "not_sent", retryable: false });
    },
  };
}

/** Why a function's calls could not be checked; none when they can be. */
export function schemaProblems({ input }: ParsedFunctionDeclaration): readonly ErrorDetail[] {
  // What the client checks itself by a pattern that does not run in linear time is left to it.
  const compiled = compileSchema(input, { unsupportedPatterns: "ignore" });
  return compiled.ok ? [] : compiled.problems;
}

/** 16 characters that stand for what a call of the function is. */
function revisionOf({ name, input, idempotent, requiresReview }: ParsedFunctionDeclaration): string {
  return hash("sha256", JSON.stringify([name, idempotent, requiresReview, input]), "base64url").slice(0, 16);
}
