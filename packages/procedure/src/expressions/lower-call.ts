import type { ASTNode } from "@marcbachmann/cel-js";
import { nearestName } from "@procedo/contract";
import { RE2JS } from "re2js";
import { linearMatch } from "../linear-match.ts";
import { EvaluationFailure, fail } from "./evaluation-failure.ts";
import { readNumber } from "./exact-arithmetic.ts";
import { spend } from "./frame.ts";
import { functions } from "./functions.ts";
import { lowerHas } from "./lower-access.ts";
import { lowerMacro, macroNames } from "./lower-macro.ts";
import { lowerOptional, optionalMethods } from "./lower-optional.ts";
import { located, textOf, weigh } from "./lowering.ts";
import type { Lowered, Lowering, Run } from "./lowering.ts";
import { fits, mayFit } from "./overload.ts";
import type { FunctionDeclaration } from "./overload.ts";
import { patternsLimit } from "./scope-types.ts";
import { bool, describe, join, mayBe } from "./static-type.ts";
import { kindNames, kindOf } from "./value.ts";
import type { Value } from "./value.ts";

/** `size(x)` */
export function lowerFunction(node: ASTNode & { op: "call" }, lowering: Lowering): Lowered {
  const [name, args] = node.args;
  if (name === "has") return lowerHas(node, lowering);
  const declaration = functions.get(name);
  if (declaration === undefined) return lowering.problem(node, unknownFunction(name));
  if (declaration.style === "method")
    return lowering.problem(node, `${name} is called on a value: value.${name}(...).`);
  return lowerDeclared(node, name, declaration, args, lowering);
}

/** `x.size()`, `list.all(item, ...)`, `x.?y.orValue(z)` */
export function lowerMethod(node: ASTNode & { op: "rcall" }, lowering: Lowering): Lowered {
  const [name, receiver, args] = node.args;
  if (optionalMethods.includes(name)) return lowerOptional(node, lowering);
  if (macroNames.includes(name)) return lowerMacro(node, lowering);
  if (name === "matches") return lowerMatches(node, lowering);
  const declaration = functions.get(name);
  if (declaration === undefined) return lowering.problem(node, unknownFunction(name));
  if (declaration.style === "function")
    return lowering.problem(node, `${name} is called with a value: ${name}(value).`);
  return lowerDeclared(node, name, declaration, [receiver, ...args], lowering);
}

function lowerDeclared(
  node: ASTNode,
  name: string,
  { overloads, checkLiterals }: FunctionDeclaration,
  argNodes: readonly ASTNode[],
  lowering: Lowering,
): Lowered {
  const args = argNodes.map((arg) => lowering.required(arg));
  const types = args.map((arg) => arg.type);
  const possible = overloads.filter((overload) => mayFit(overload, types));
  if (possible.length === 0) {
    const takes = [...new Set(overloads.map(({ parameters }) => parameters.map(parameterName).join(" and ")))];
    const given = types.map(describe).join(" and ") || "nothing";
    return lowering.problem(node, `${name} takes ${takes.join(", or ")}; here it is given ${given}.`);
  }
  const mistake = lowering.types.budget && mistakeIn(args, checkLiterals);
  if (mistake !== undefined) return lowering.problem(node, `${textOf(node)} ${mistake}.`);
  const run: Run = (frame) => {
    const values = args.map((arg) => arg.run(frame));
    const overload = possible.find((candidate) => fits(candidate, values));
    if (overload !== undefined) return overload.call(frame, ...values);
    // If no overload accepts text, digits of an unknown type are read as the number that they represent.
    const numbers = values.map((value, index) => (types[index]?.kind === "dyn" ? readNumber(value, frame) : value));
    const ofNumbers = possible.find((candidate) => fits(candidate, numbers));
    return ofNumbers === undefined ? fail(`is given ${given(values)}`) : ofNumbers.call(frame, ...numbers);
  };
  return {
    type: possible.map((overload) => overload.returns(types)).reduce(join),
    run: located(node, run),
    weight: weigh(args) + 1,
  };
}

/** The reason why literal arguments can never work, from the function's own check. */
function mistakeIn(args: readonly Lowered[], checkLiterals: FunctionDeclaration["checkLiterals"]): string | undefined {
  try {
    checkLiterals?.(args.map(({ literal }) => literal));
    return undefined;
  } catch (error) {
    if (error instanceof EvaluationFailure) return error.message;
    throw error;
  }
}

/** Maximum number of instructions of a compiled pattern. */
const patternLimit = 1_000;

const patternsTooLarge = `The patterns of the document are too large together: they may compile to at most ${patternsLimit} instructions.`;

/**
 * `text.matches("pattern")`: whether the pattern (RE2, in linear time) occurs in the text. The pattern is a literal, so
 * that it is compiled once and a mistake in it is found when the version is published.
 */
function lowerMatches(node: ASTNode & { op: "rcall" }, lowering: Lowering): Lowered {
  const [, receiver, args] = node.args;
  const [text, pattern] = [receiver, ...args].map((arg) => lowering.required(arg));
  if (text === undefined || typeof pattern?.literal !== "string" || args.length !== 1) {
    return lowering.problem(node, 'matches takes a pattern in quotes: text.matches("^[A-Z]{2}[0-9]+$").');
  }
  if (!mayBe(text.type, "string"))
    return lowering.problem(node, `${textOf(receiver)} is ${describe(text.type)}, not text.`);
  const { budget } = lowering.types;
  if (budget !== undefined && budget.patternInstructions < 0) return lowering.problem(node, patternsTooLarge);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern.literal);
  } catch (error) {
    return lowering.problem(
      node,
      `The pattern is not valid (RE2): ${error instanceof Error ? error.message : "unknown"}.`,
    );
  }
  const size = compiled.programSize();
  if (size > patternLimit)
    return lowering.problem(node, "The pattern is too large: use smaller numbers of repetitions.");
  if (budget !== undefined && (budget.patternInstructions -= size) < 0) return lowering.problem(node, patternsTooLarge);
  const match = linearMatch(compiled);
  const run: Run = (frame) => {
    const value = text.run(frame);
    if (typeof value !== "string") return fail(`is given ${given([value])}`);
    spend(frame, Math.ceil(match.steps(value.length) / 10));
    return match.matches(value);
  };
  return { type: bool, run: located(node, run), weight: weigh([text]) };
}

function unknownFunction(name: string): string {
  if (name === "now") return "Expressions do not see the clock: run.createdAt is the time at which the run began.";
  const known = [...functions.keys(), ...macroNames, ...optionalMethods, "has", "matches"];
  return `There is no function "${name}"; ${nearestName(name, known)}`;
}

function parameterName(parameter: keyof typeof kindNames | "any"): string {
  return parameter === "any" ? "anything" : kindNames[parameter];
}

function given(values: readonly Value[]): string {
  return values.map((value) => kindNames[kindOf(value)]).join(" and ");
}
