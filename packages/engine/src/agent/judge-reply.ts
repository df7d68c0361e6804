import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer, unescapePointerToken } from "@procedo/contract/syntax";
import {
  isRequiredWith,
  parseKeepingExact,
  repeatedMember,
  type CompiledCondition,
  type ModelReply,
  type ReplyPart,
  type Violation,
} from "@procedo/procedure";
import { exceeds, type JsonLimits } from "../json/json-copy.ts";
import type { ArgumentNames } from "../models/argument-names.ts";
import type { OfferedTool } from "../models/model-request.ts";
import { maxReasonLength, type NodeTool } from "./tool-of-node.ts";

/** The judgment of a reply on its own content, before the action's schema or the run is consulted. */
export type Verdict =
  /** One call of the offered tool, with arguments that the model may set. */
  | { readonly verdict: "proposed"; readonly arguments: JsonObject; readonly text: string }
  /** A call of the decline tool: no (further) call is to be made. */
  | { readonly verdict: "declined"; readonly reason: string }
  /** Text alone, where it means that no further call is to be made. */
  | { readonly verdict: "concluded"; readonly text: string }
  /** An unusable reply; the model is told why and asked again. */
  | { readonly verdict: "wrong"; readonly problems: readonly string[] }
  /** An unusable reply that asking again would not correct. */
  | { readonly verdict: "hopeless"; readonly message: string };

export interface ReplyRules {
  readonly tool: NodeTool;
  /** The decline tool, where it was offered. */
  readonly decline?: OfferedTool;
  /** Whether text alone ends the node. */
  readonly mayConclude: boolean;
  /** The most levels that the arguments may nest. */
  readonly depth: number;
}

/** Bytes of the arguments as the model wrote them; reviewers are shown as many. */
export const maxProposalBytes = 256 * 1024;

/** More calls than this in one reply fail the node: each of them would need its own answer. */
export const maxCallsInReply = 32;

const maxProblems = 20;
const maxProblemLength = 400;
const maxTextLength = 4_000;

/** Judges a model's reply by the rules of its node: strictly, because untrusted data may have dictated it. Pure. */
export function judgeReply(reply: ModelReply, rules: ReplyRules): Verdict {
  const { tool, decline, mayConclude } = rules;
  const unfinished = judgeFinish(reply);
  if (unfinished !== undefined) return unfinished;
  const calls = callsIn(reply.content);
  if (calls.length > maxCallsInReply) {
    const message = `The agent made ${calls.length} calls at once; the limit is ${maxCallsInReply}, and only one was requested.`;
    return { verdict: "hopeless", message };
  }
  const text = textOf(reply);
  const [call, ...furtherCalls] = calls;
  if (call === undefined) {
    if (mayConclude && text !== "") return { verdict: "concluded", text };
    const orDecline = decline === undefined ? "" : `, or call ${quoted(decline.name)} with the reason why not`;
    const orText = mayConclude ? ", or say in a text that you are done" : "";
    return wrong(`The tool ${quoted(tool.name)} was not called. Call it once${orDecline}${orText}.`);
  }
  if (furtherCalls.length > 0) {
    return wrong(`${calls.length} calls were proposed, and none of them was used. Propose exactly one call at a time.`);
  }
  const read = readArguments(call.input, { depth: rules.depth, bytes: maxProposalBytes }, tool.names);
  if (call.toolName === decline?.name) return judgeDecline(read, decline);
  if (call.toolName !== tool.name) {
    const only = decline === undefined ? "The only tool is" : `Apart from ${quoted(decline.name)}, the only tool is`;
    return wrong(`There is no tool ${quoted(call.toolName)}. ${only} ${quoted(tool.name)}.`);
  }
  if (!read.ok) return wrong(read.message);
  const problems = nameProblems(read.value, tool);
  return problems.length > 0
    ? { verdict: "wrong", problems: bounded(problems) }
    : { verdict: "proposed", arguments: read.value, text };
}

function judgeDecline(read: ReadArguments, { name }: OfferedTool): Verdict {
  if (!read.ok) return wrong(read.message);
  const { reason, ...others } = read.value;
  const [other] = Object.keys(others);
  if (other !== undefined) return wrong(`${quoted(other)} is not an argument of ${quoted(name)}. Leave it out.`);
  return isReason(reason) ? { verdict: "declined", reason: reason.trim() } : wrong(reasonRule);
}

/** A model's own words beside its call, as plain text; at most 4000 characters. */
export function textOf({ content }: ModelReply): string {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.join("\n").trim().slice(0, maxTextLength).toWellFormed();
}

/** The calls of a reply, in their order. */
export function callsIn(content: readonly ReplyPart[]): readonly Extract<ReplyPart, { type: "tool_call" }>[] {
  return content.filter((part) => part.type === "tool_call");
}

/** Violations as a model sees them: with the names that it was offered, within bounds. */
export function violationTexts(violations: readonly Violation[], { offered }: ArgumentNames): readonly string[] {
  return bounded(
    violations.map(({ path, message, requiredWith }) => {
      const isArgument = path.lastIndexOf("/") === 0;
      const text = isArgument && requiredWith !== undefined ? isRequiredWith(offered(requiredWith)) : message;
      return path === "" ? `/ ${text}` : `${offeredPath(path, offered)} ${text}`;
    }),
  );
}

function offeredPath(path: string, offered: ArgumentNames["offered"]): string {
  return path.replace(/^\/([^/]*)/, (_whole, token: string) => {
    return jsonPointer([offered(unescapePointerToken(token))]);
  });
}

/** The answer to a question, or the problems that make it unusable. */
export type ReadAnswer =
  | { readonly ok: true; readonly branch: string; readonly reason: string; readonly confidence?: number }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the arguments of a call of the question's tool. The branch must match one of the question's exactly. */
export function readAnswer(question: NonNullable<CompiledCondition["question"]>, given: JsonObject): ReadAnswer {
  const { branch, reason, confidence } = given;
  const problems: string[] = [];
  if (typeof branch !== "string" || question.answers.every(({ name }) => name !== branch)) {
    const names = question.answers.map(({ name }) => quoted(name)).join(", ");
    problems.push(`/branch must be one of ${names}.`);
  }
  if (!isReason(reason)) problems.push(reasonRule);
  const asksConfidence = question.confidence !== undefined;
  if (asksConfidence && (typeof confidence !== "number" || confidence < 0 || confidence > 1)) {
    problems.push("/confidence must be a number from 0 to 1.");
  }
  if (problems.length > 0 || typeof branch !== "string" || typeof reason !== "string") {
    return { ok: false, problems: bounded(problems) };
  }
  return { ok: true, branch, reason, ...(asksConfidence && typeof confidence === "number" && { confidence }) };
}

const reasonRule = `/reason must be a text of 1 to ${maxReasonLength} characters.`;

function isReason(reason: JsonValue | undefined): reason is string {
  return typeof reason === "string" && reason.trim() !== "" && reason.length <= maxReasonLength;
}

/** Refuses a reply that the provider cut off or withheld: no part of it may be used. */
function judgeFinish({ finishReason, rawFinishReason }: ModelReply): Verdict | undefined {
  const word = rawFinishReason === undefined ? finishReason : `${finishReason}, ${rawFinishReason.slice(0, 100)}`;
  switch (finishReason) {
    case "content-filter":
      return {
        verdict: "hopeless",
        message: `The provider withheld the model's answer, or the model refused (${word}).`,
      };
    case "length":
      return wrong("The answer was cut off because it was too long, and no part of it was used. Be shorter.");
    default:
      return undefined;
  }
}

type ReadArguments =
  { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly message: string };

function readArguments(input: string, limits: JsonLimits, { offered }: ArgumentNames): ReadArguments {
  const bytes = Buffer.byteLength(input);
  if (bytes > limits.bytes) return refused(`The arguments have ${bytes} bytes; the limit is ${limits.bytes} bytes.`);
  // Some providers send an empty text for a call without arguments. A number beyond a double keeps its digits, as in
  // the data that the model was shown; the action's schema decides whether it fits.
  const parsed = parseKeepingExact(input.trim() === "" ? "{}" : input);
  if (!parsed.ok) return refused(`The text in the arguments ${parsed.message}`);
  const { value } = parsed;
  if (!isObject(value)) return refused("The arguments must be a JSON object.");
  const repeated = repeatedMember(input, value);
  if (repeated !== undefined)
    return refused(`The arguments have the member ${quoted(offeredPath(repeated, offered))} twice.`);
  const problem = exceeds(value, limits);
  return problem === undefined ? { ok: true, value } : refused(`The argument object ${problem}.`);
}

function refused(message: string): ReadArguments {
  return { ok: false, message };
}

function nameProblems(given: JsonObject, { name: tool, fixed, known }: NodeTool): readonly string[] {
  return Object.keys(given).flatMap((name) => {
    if (fixed.has(name)) return [`${quoted(name)} is set by the procedure and cannot be given. Leave it out.`];
    if (known?.has(name) === false) return [`${quoted(name)} is not an argument of ${quoted(tool)}. Leave it out.`];
    return [];
  });
}

function wrong(problem: string): Verdict {
  return { verdict: "wrong", problems: bounded([problem]) };
}

function bounded(problems: readonly string[]): readonly string[] {
  const shown = problems.slice(0, maxProblems).map((text) => text.slice(0, maxProblemLength).toWellFormed());
  return problems.length > maxProblems ? [...shown, `And ${problems.length - maxProblems} more.`] : shown;
}

const maxQuotedLength = 100;

function quoted(name: string): string {
  return JSON.stringify(name.length > maxQuotedLength ? `${name.slice(0, maxQuotedLength).toWellFormed()}…` : name);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
