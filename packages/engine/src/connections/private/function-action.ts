import { hash } from "node:crypto";
import type { ErrorDetail, ParsedFunctionDeclaration } from "@procedo/contract";
import { asPublished, compileSchema, type SchemaResult } from "@procedo/procedure";
import { ActionError } from "../../integrations/action-error.ts";
import type { Action } from "../../integrations/integration.ts";

/** A client's function as an action of its connection. */
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
    dispatch: { requiresReview },
    check: (args) => {
      // The function may have been declared under earlier rules while a run waits to call it.
      compiled ??= compileSchema(declared.input, asPublished);
      return compiled.ok ? compiled.validator.validate(args) : compiled.problems;
    },
    call: async () => {
      const message = `"${name}" runs in the customer's network and cannot be called by the engine.`;
      throw new ActionError(message, { outcome: "not_sent", retryable: false });
    },
  };
}

/** The problems that keep a function's calls from being checked. */
export function schemaProblems({ input }: ParsedFunctionDeclaration): readonly ErrorDetail[] {
  // The client itself checks patterns that do not run in linear time.
  const compiled = compileSchema(input, { unsupportedPatterns: "ignore" });
  return compiled.ok ? [] : compiled.problems;
}

/** 16 characters that change with the function's name, input schema, idempotency or review. */
function revisionOf({ name, input, idempotent, requiresReview }: ParsedFunctionDeclaration): string {
  return hash("sha256", JSON.stringify([name, idempotent, requiresReview, input]), "base64url").slice(0, 16);
}
