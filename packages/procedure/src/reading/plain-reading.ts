import type { ASTNode } from "@marcbachmann/cel-js";
import { parseExpression } from "../expressions/syntax.ts";
import { comparisonWord, methodWord, negatedWord, readNumber } from "./reading-words.ts";

/** Names a value by its path, such as `["input", "amount"]`; `undefined` leaves the name to the reading. */
export type ValueNames = (path: readonly string[]) => string | undefined;

/**
 * An expression in words: `input.amount > 1000 && input.country != "DE"` is "amount is greater than 1,000 and country is
 * not “DE”". Pure; never throws. A part without words is shown as it is, and so is a whole text that does not parse.
 *
 * @param names of values for people. @defaultValue the path, without `input`
 * @example
 * ```ts
 * import { plainReading } from "@procedo/procedure";
 *
 * console.log(plainReading("input.amount > 1000")); // amount is greater than 1,000
 * ```
 */
export function plainReading(source: string, names: ValueNames = () => undefined): string {
  const parsed = parseExpression(source);
  if ("problem" in parsed) return source.trim();
  return phraseOf(parsed.ast, { names, item: undefined }).text;
}

interface Context {
  readonly names: ValueNames;
  /** The variable of the list over which the words go. */
  readonly item: string | undefined;
}

/** `sum`: an arithmetic value. The last four need brackets within another part, because words do not say where they end. */
interface Phrase {
  readonly text: string;
  readonly binds: "value" | "sum" | "condition" | "all" | "any" | "quantity" | "choice";
}

const value = (text: string): Phrase => ({ text, binds: "value" });
const condition = (text: string): Phrase => ({ text, binds: "condition" });

/** The source of a part, as a person wrote it. */
function asWritten({ input, start, end }: ASTNode): Phrase {
  return value(input.slice(start, end));
}

function phraseOf(node: ASTNode, context: Context): Phrase {
  switch (node.op) {
    case "value":
      return value(literalWords(node.args, node));
    case "id":
    case ".":
    case ".?":
    case "[]":
    case "[?]":
      return value(pathWords(node, context) ?? asWritten(node).text);
    case "==":
    case "!=":
      return equalityPhrase(node.args, node.op === "==", context);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return condition(
        `${operand(node.args[0], context)} ${comparisonWord(node.op)} ${operand(node.args[1], context)}`,
      );
    case "&&":
    case "||":
      return joinedPhrase(node, context);
    case "!_":
      return negatedPhrase(node.args, context);
    case "in":
      return membershipPhrase(node, context, false);
    case "?:": {
      const [test, yes, no] = node.args;
      const [taken, other] = [within(phraseOf(yes, context)), within(phraseOf(no, context))];
      return { text: `${taken} if ${testWithin(phraseOf(test, context))}, otherwise ${other}`, binds: "choice" };
    }
    case "+":
    case "-":
    case "*":
    case "/":
      return {
        text: `${operand(node.args[0], context)} ${arithmetic[node.op]} ${operand(node.args[1], context)}`,
        binds: "sum",
      };
    case "call":
      return callPhrase(node, context);
    case "rcall":
      return methodPhrase(node, context);
    default:
      return asWritten(node);
  }
}

const arithmetic = { "+": "plus", "-": "minus", "*": "times", "/": "divided by" } as const;

/** A part within another one. */
function operand(node: ASTNode, context: Context): string {
  const { text, binds } = phraseOf(node, context);
  return binds === "value" ? text : `(${text})`;
}

/** A part that is true or false. A plain value is a yes or no of the data. */
function asTest(phrase: Phrase | undefined): string {
  if (phrase === undefined) return "";
  return phrase.binds === "value" ? `${phrase.text} is yes` : phrase.text;
}

/** A part beside others in one sentence. */
function within({ text, binds }: Phrase): string {
  return binds === "value" || binds === "sum" || binds === "condition" ? text : `(${text})`;
}

function testWithin(phrase: Phrase): string {
  return phrase.binds === "value" ? asTest(phrase) : within(phrase);
}

function literalWords(literal: unknown, node: ASTNode): string {
  switch (typeof literal) {
    case "bigint":
    case "number":
      return readNumber(asWritten(node).text);
    case "string":
      return literal === "" ? "the empty text" : `“${literal}”`;
    case "boolean":
      return literal ? "yes" : "no";
    default:
      return literal === null ? "no value" : asWritten(node).text;
  }
}

function equalityPhrase([left, right]: readonly [ASTNode, ASTNode], isEqual: boolean, context: Context): Phrase {
  if (isNull(left) && !isNull(right)) return equalityPhrase([right, left], isEqual, context);
  const subject = operand(left, context);
  if (isNull(right)) return condition(`${subject} has ${isEqual ? "no value" : "a value"}`);
  return condition(`${subject} ${isEqual ? "is" : "is not"} ${operand(right, context)}`);
}

function isNull(node: ASTNode): boolean {
  return node.op === "value" && node.args === null;
}

/** `a && b && c` is told as one list, however its links nest. */
function joinedPhrase(node: ASTNode & { op: "&&" | "||" }, context: Context): Phrase {
  const { op } = node;
  const links = (part: ASTNode): readonly ASTNode[] =>
    part.op === op ? [...links(part.args[0]), ...links(part.args[1])] : [part];
  const parts = links(node).map((part) => phraseOf(part, context));
  const [binds, word] = op === "&&" ? (["all", "and"] as const) : (["any", "or"] as const);
  return { text: parts.map(testWithin).join(` ${word} `), binds };
}

function negatedPhrase(node: ASTNode, context: Context): Phrase {
  if (node.op === "==" || node.op === "!=") {
    return equalityPhrase(node.args, node.op === "!=", context);
  }
  if (node.op === "in") return membershipPhrase(node, context, true);
  if (node.op === "!_") return phraseOf(node.args, context);
  const missing = presencePhrase(node, context, true);
  if (missing !== undefined) return missing;
  const negated = node.op === "rcall" ? methodTest(node, context, true) : undefined;
  if (negated !== undefined) return negated;
  const phrase = phraseOf(node, context);
  return condition(phrase.binds === "value" ? `${phrase.text} is no` : `it is not true that (${phrase.text})`);
}

function membershipPhrase(node: ASTNode & { op: "in" }, context: Context, isNegated: boolean): Phrase {
  const [item, list] = node.args;
  const subject = operand(item, context);
  if (list.op !== "list") {
    return condition(`${subject} is ${isNegated ? "not " : ""}in ${operand(list, context)}`);
  }
  const items = list.args.map((one) => operand(one, context));
  const last = items.at(-1) ?? "nothing";
  const listed = items.length < 2 ? last : `${items.slice(0, -1).join(", ")} or ${last}`;
  const verb = items.length < 2 ? (isNegated ? "is not" : "is") : isNegated ? "is none of" : "is one of";
  return condition(`${subject} ${verb} ${listed}`);
}

/** `has(x)`. */
function presencePhrase(node: ASTNode, context: Context, isNegated: boolean): Phrase | undefined {
  if (node.op !== "call" || node.args[0] !== "has") return undefined;
  const [subject] = node.args[1];
  if (subject === undefined || node.args[1].length !== 1) return undefined;
  return condition(`${operand(subject, context)} is ${isNegated ? "missing" : "given"}`);
}

/** Functions that change how a value is represented, and not which one it is. */
const conversions = new Set(["decimal", "double", "string", "dyn", "timestamp"]);

function callPhrase(node: ASTNode & { op: "call" }, context: Context): Phrase {
  const [name, given] = node.args;
  const [first] = given;
  const presence = presencePhrase(node, context, false);
  if (presence !== undefined) return presence;
  if (first === undefined || given.length !== 1) return asWritten(node);
  if (conversions.has(name)) return phraseOf(first, context);
  if (name === "int") return value(`${operand(first, context)} without decimals`);
  if (name === "size") return value(`the number of ${operand(first, context)}`);
  if (name === "sum") return value(`the sum of ${operand(first, context)}`);
  return asWritten(node);
}

function methodPhrase(node: ASTNode & { op: "rcall" }, context: Context): Phrase {
  const [name, subject, given] = node.args;
  const [first] = given;
  const test = methodTest(node, context, false);
  if (test !== undefined) return test;
  if (name === "orValue" && given.length === 1 && first !== undefined) {
    return value(`${operand(subject, context)} (${operand(first, context)} if it is missing)`);
  }
  if (name === "hasValue" && given.length === 0) return condition(`${operand(subject, context)} is given`);
  if (name === "size" && given.length === 0) return value(`the number of ${operand(subject, context)}`);
  return asWritten(node);
}

/** A method that gives true or false. */
function methodTest(node: ASTNode & { op: "rcall" }, context: Context, isNegated: boolean): Phrase | undefined {
  const [name, subject, given] = node.args;
  const [first, body] = given;
  const word = isNegated ? negatedWord(name) : methodWord(name);
  if (word !== undefined && given.length === 1 && first !== undefined) {
    return condition(`${operand(subject, context)} ${word} ${operand(first, context)}`);
  }
  const quantity = quantities[name];
  // Two lists within each other have two items, which "its" cannot tell apart.
  if (quantity === undefined || isNegated || context.item !== undefined) return undefined;
  if (first?.op !== "id" || body === undefined || given.length !== 2) return undefined;
  const inner = phraseOf(body, { ...context, item: first.args });
  return { text: `for ${quantity} of ${operand(subject, context)}, ${asTest(inner)}`, binds: "quantity" };
}

const quantities: Readonly<Partial<Record<string, string>>> = {
  exists: "at least one",
  all: "each",
  exists_one: "exactly one",
};

/** The name of a value; `undefined` if the part is no path of known names. */
function pathWords(node: ASTNode, { names, item }: Context): string | undefined {
  const path = pathOf(node);
  if (path === undefined) return undefined;
  if (item !== undefined && path[0] === item) return path.length === 1 ? "it" : `its ${path.slice(1).join(".")}`;
  return names(path) ?? (path.length > 1 ? nameOfPath(path) : undefined);
}

/** The names of two values differ, except where a member has a dot in its name. */
function nameOfPath(path: readonly string[]): string | undefined {
  if (path[0] === "input") return path.slice(1).join(".");
  return ["nodes", "run", "args"].includes(path[0] ?? "") ? path.join(".") : undefined;
}

function pathOf(node: ASTNode): readonly string[] | undefined {
  switch (node.op) {
    case "id":
      return [node.args];
    case ".":
    case ".?": {
      const owner = pathOf(node.args[0]);
      return owner === undefined ? undefined : [...owner, node.args[1]];
    }
    case "[]":
    case "[?]": {
      const [owner, key] = node.args;
      const path = pathOf(owner);
      return path === undefined || key.op !== "value" || typeof key.args !== "string" ? undefined : [...path, key.args];
    }
    default:
      return undefined;
  }
}
