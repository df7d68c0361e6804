import type { ASTNode } from "@marcbachmann/cel-js";
import type { ErrorDetails } from "./expression.ts";
import type { Lowered, Lowering } from "./lowering.ts";
import { optionalOf } from "./static-type.ts";
import { isObject } from "./value.ts";
import type { Value, ValueObject } from "./value.ts";

/**
 * A part whose field is read. An error is a text, so that `{{ nodes.pay.error }}` is its message. The fields of an
 * error that is named by its path, such as `nodes.pay.error` in `nodes.pay.error.status`, are those of `membersOf`.
 */
export function lowerOwner(node: ASTNode, lowering: Lowering): Lowered {
  const owner = lowering.optional(node);
  const isOptional = owner.type.kind === "optional";
  const type = owner.type.kind === "optional" ? owner.type.of : owner.type;
  if (!("members" in type) || type.members === undefined || !isAccess(node)) return owner;
  const holder = lowering.optional(node.args[0]);
  // A list of errors is a list of texts: the details of an error are available only by its own path.
  if (holder.type.kind === "list") return owner;
  return {
    type: isOptional ? optionalOf(type.members) : type.members,
    weight: owner.weight + holder.weight + 1,
    run: (frame) => {
      const message = owner.run(frame);
      return typeof message === "string" ? membersOf(message, holder.run(frame)) : message;
    },
  };
}

/**
 * All members exist for every failure, so that a condition on one does not fail itself. A body of text is available
 * only as `reason`, because reading a JSON field from it with `.?` would fail.
 */
function membersOf(message: string, holder: Value): ValueObject {
  const details = isObject(holder) ? (holder["errorDetails"] as ErrorDetails | undefined) : undefined;
  const { status = 0, reason = "", body = null } = details ?? {};
  return { message, status, reason, body: typeof body === "object" ? body : null };
}

function isAccess(node: ASTNode): node is ASTNode & { op: "." | ".?" | "[]" | "[?]" } {
  return node.op === "." || node.op === ".?" || node.op === "[]" || node.op === "[?]";
}
