import type { ASTNode } from "@marcbachmann/cel-js";
import { readNumber } from "./exact-arithmetic.ts";
import { made, spendText } from "./frame.ts";
import { lowerField, lowerIndex, lowerName } from "./lower-access.ts";
import { lowerFunction, lowerMethod } from "./lower-call.ts";
import {
  lowerArithmetic,
  lowerChoice,
  lowerEquality,
  lowerIn,
  lowerLogic,
  lowerMinus,
  lowerNot,
  lowerOrder,
} from "./lower-operators.ts";
import { located, textOf, weigh } from "./lowering.ts";
import type { Lowered, Lowering, Variable } from "./lowering.ts";
import type { ScopeTypes } from "./scope-types.ts";
import { anyObject, bool, dyn, int, isNumeric, join, listOf, nullType, number, string } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";
import { depthLimit } from "./syntax.ts";
import type { ExpressionProblem } from "./syntax.ts";
import { setOwn } from "./value.ts";
import type { Value } from "./value.ts";
import { fail } from "./evaluation-failure.ts";

interface Session {
  readonly types: ScopeTypes;
  readonly reads: Set<string>;
  readonly problems: ExpressionProblem[];
  depth: number;
}

/** Checks a whole expression and compiles it to a closure. All faults are recorded in `problems`. */
export function lowerExpression(
  ast: ASTNode,
  types: ScopeTypes,
  reads: Set<string>,
): { readonly root: Lowered; readonly problems: readonly ExpressionProblem[] } {
  const session: Session = { types, reads, problems: [], depth: 0 };
  return { root: lowering(session, new Map()).optional(ast), problems: session.problems };
}

function lowering(session: Session, variables: ReadonlyMap<string, Variable>): Lowering {
  const self: Lowering = {
    types: session.types,
    reads: session.reads,
    variables,
    optional(node) {
      if (session.depth >= depthLimit) return self.problem(node, "The expression nests too deeply.");
      session.depth += 1;
      const lowered = lower(node, self);
      session.depth -= 1;
      return lowered;
    },
    required(node) {
      const lowered = self.optional(node);
      if (lowered.type.kind !== "optional") return lowered;
      return self.problem(node, `${textOf(node)} may be absent: add .orValue(...) with a default value.`);
    },
    problem(node, message) {
      session.problems.push({ message, offset: node.start });
      return standIn;
    },
    withVariable(name, type) {
      const slot = variables.size;
      return { slot, inner: lowering(session, new Map(variables).set(name, { type, slot })) };
    },
  };
  return self;
}

const standIn: Lowered = { type: dyn, weight: 1, run: () => fail("was not compiled") };

function lower(node: ASTNode, lowering: Lowering): Lowered {
  switch (node.op) {
    case "value":
      return lowerLiteral(node, lowering);
    case "id":
      return readingNumbers(lowerName(node, lowering));
    case ".":
    case ".?":
      return readingNumbers(lowerField(node, lowering));
    case "[]":
    case "[?]":
      return readingNumbers(lowerIndex(node, lowering));
    case "call":
      return lowerFunction(node, lowering);
    case "rcall":
      return lowerMethod(node, lowering);
    case "list":
      return lowerList(node, lowering);
    case "map":
      return lowerMap(node, lowering);
    case "?:":
      return lowerChoice(node, lowering);
    case "&&":
    case "||":
      return lowerLogic(node, lowering);
    case "!_":
      return lowerNot(node, lowering);
    case "-_":
      return lowerMinus(node, lowering);
    case "==":
    case "!=":
      return lowerEquality(node, lowering);
    case "in":
      return lowerIn(node, lowering);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return lowerOrder(node, lowering);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return lowerArithmetic(node, lowering);
  }
}

/** A value of a numeric type may be the text of a number beyond a double. */
function readingNumbers(lowered: Lowered): Lowered {
  const type = lowered.type.kind === "optional" ? lowered.type.of : lowered.type;
  const { run } = lowered;
  return isNumeric(type) ? { ...lowered, run: (frame) => readNumber(run(frame), frame) } : lowered;
}

/** Numbers are those of JSON. Only the type records whether one was written as a whole number. */
function lowerLiteral(node: ASTNode & { op: "value" }, lowering: Lowering): Lowered {
  const value = node.args;
  switch (typeof value) {
    case "bigint":
      if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
        return lowering.problem(node, `${value} is beyond what a number holds exactly: write decimal("${value}").`);
      }
      return literal(int, Number(value));
    case "number":
      return literal(number, value);
    case "string":
      return literal(string, value);
    case "boolean":
      return literal(bool, value);
    default:
      if (value === null) return literal(nullType, null);
      return lowering.problem(node, "JSON has neither bytes nor unsigned numbers: write a text or a plain number.");
  }
}

function literal(type: StaticType, value: string | number | boolean | null): Lowered {
  return { type, literal: value, weight: 1, run: () => value };
}

/** `[a, b]`; an absent item is left out. */
function lowerList(node: ASTNode & { op: "list" }, lowering: Lowering): Lowered {
  const items = node.args.map((item) => lowering.optional(item));
  const type = items.map((item) => (item.type.kind === "optional" ? item.type.of : item.type)).reduce(join, nullType);
  return {
    type: listOf(items.length === 0 ? dyn : type),
    weight: weigh(items),
    run: (frame) =>
      made(
        frame,
        items.map((item) => item.run(frame)).filter((item) => item !== undefined),
      ),
  };
}

/** `{"a": b}`; a key with an absent value is left out. */
function lowerMap(node: ASTNode & { op: "map" }, lowering: Lowering): Lowered {
  const entries = node.args.map(([key, value]) => ({
    keyNode: key,
    key: lowering.required(key),
    value: lowering.optional(value),
  }));
  const seen = new Set<unknown>();
  for (const { keyNode, key } of entries) {
    if (key.type.kind !== "string" && key.type.kind !== "dyn") {
      return lowering.problem(keyNode, `${textOf(keyNode)} is not text, but the keys of a JSON object are.`);
    }
    if (key.literal !== undefined && seen.size === seen.add(key.literal).size) {
      return lowering.problem(keyNode, `The key ${textOf(keyNode)} occurs twice.`);
    }
  }
  const run = located(node, (frame) => {
    const result: Record<string, Value> = {};
    for (const { key, value } of entries) {
      const name = key.run(frame);
      if (typeof name !== "string") return fail("has a key that is not text");
      spendText(frame, name.length);
      const item = value.run(frame);
      if (item !== undefined) setOwn(result, name, item);
    }
    return made(frame, result);
  });
  return { type: anyObject, run, weight: weigh(entries.flatMap(({ key, value }) => [key, value])) };
}
