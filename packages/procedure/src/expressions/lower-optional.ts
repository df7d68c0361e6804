import type { ASTNode } from "@marcbachmann/cel-js";
import { fail } from "./evaluation-failure.ts";
import { located, textOf, weigh } from "./lowering.ts";
import type { Lowered, Lowering } from "./lowering.ts";
import { bool, dyn, join, optionalOf } from "./static-type.ts";

export const optionalMethods = ["orValue", "or", "hasValue", "value", "none", "of"];

/** The methods of values that may be absent, and `optional.none()` and `optional.of(x)`, which make such values. */
export function lowerOptional(node: ASTNode & { op: "rcall" }, lowering: Lowering): Lowered {
  const [name, receiverNode, args] = node.args;
  const wanted = name === "orValue" || name === "or" || name === "of" ? 1 : 0;
  if (args.length !== wanted)
    return lowering.problem(node, `${name} takes ${wanted === 1 ? "one value" : "no value"}.`);
  if (name === "none" || name === "of") return lowerConstructor(node, lowering);
  const receiver = lowering.optional(receiverNode);
  if (receiver.type.kind !== "optional") {
    const hint = receiverNode.op === "." ? `: write ${textOf(receiverNode.args[0])}.?${receiverNode.args[1]}` : "";
    return lowering.problem(node, `${textOf(receiverNode)} is never absent, only missing${hint}.`);
  }
  const { run, type } = receiver;
  switch (name) {
    case "hasValue":
      return { type: bool, weight: weigh([receiver]), run: (frame) => run(frame) !== undefined };
    case "value":
      return {
        type: type.of,
        weight: weigh([receiver]),
        run: located(receiverNode, (frame) => {
          const value = run(frame);
          return value === undefined ? fail("is absent") : value;
        }),
      };
    default:
      return lowerOr(name, receiver, args[0], lowering);
  }
}

function lowerOr(name: string, receiver: Lowered, otherNode: ASTNode | undefined, lowering: Lowering): Lowered {
  if (otherNode === undefined) return receiver;
  const other = name === "or" ? lowering.optional(otherNode) : lowering.required(otherNode);
  const type = receiver.type.kind === "optional" ? receiver.type.of : receiver.type;
  const joined = join(type, other.type);
  return {
    type: name === "or" ? optionalOf(joined) : joined,
    weight: weigh([receiver, other]),
    run: (frame) => {
      const value = receiver.run(frame);
      return value === undefined ? other.run(frame) : value;
    },
  };
}

function lowerConstructor(node: ASTNode & { op: "rcall" }, lowering: Lowering): Lowered {
  const [name, namespace, [valueNode]] = node.args;
  if (namespace.op !== "id" || namespace.args !== "optional") {
    return lowering.problem(node, `${name} is written optional.${name}(${name === "of" ? "value" : ""}).`);
  }
  if (valueNode === undefined) return { type: optionalOf(dyn), weight: 1, run: () => undefined };
  const value = lowering.required(valueNode);
  return { type: optionalOf(value.type), weight: weigh([value]), run: value.run };
}
