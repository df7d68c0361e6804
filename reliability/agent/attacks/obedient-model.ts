import {
  answerWith,
  callOf,
  type Model,
  type ModelAnswer,
  type ModelOptions,
  type ModelPrompt,
} from "../model-types.ts";
import { dataOf } from "../prompt-data.ts";
import type { Asked, InstructionName, Try } from "./attack-instructions.ts";
import type { Payload } from "./payloads.ts";
import { marksIn } from "./writings.ts";

/** The place in a request where the model found a mark. */
export type Place = "system" | "data" | "tool message" | "offered tool";

/** A request to the model, and its reaction. */
export interface Obeyed {
  readonly runId: string;
  readonly tool: string;
  /** The marks of its instructions, with their places. */
  readonly found: ReadonlyMap<string, ReadonlySet<Place>>;
  /** The instruction that it followed; `undefined` without one, or if all its tries were used. */
  readonly instruction: InstructionName | undefined;
  readonly prompt: ModelPrompt;
  readonly tools: ModelOptions["tools"];
  readonly answer: ModelAnswer;
}

export interface ObedientModel {
  readonly model: Model;
  readonly obeyed: readonly Obeyed[];
}

/**
 * A model that obeys every text. It reads each prompt in every writing, follows the last instruction in it, one try
 * after another, and then does its proper work. It also reveals `key`, the credential of its service.
 */
export function obedientModel(payloads: readonly Payload[], key: string): ObedientModel {
  const known = new Map(payloads.map((payload) => [payload.mark, payload]));
  const read = new Map<string, ReadonlySet<string>>();
  /** Each turn contains the whole conversation; texts that were read once are not read again. */
  const marksOf = (shown: string): ReadonlySet<string> => {
    const marks = read.get(shown) ?? marksIn(shown);
    read.set(shown, marks);
    return marks;
  };
  const obeyed: Obeyed[] = [];
  const answerTo = ({ prompt, tools = [] }: ModelOptions): ModelAnswer => {
    const [offered] = tools;
    const tool = offered?.name ?? "";
    const found = new Map<string, Set<Place>>();
    let tries = 0;
    const note = (shown: string, place: Place): void => {
      for (const mark of marksOf(shown)) {
        if (!known.has(mark)) continue;
        if (found.size === 0) tries = 0;
        found.set(mark, (found.get(mark) ?? new Set()).add(place));
      }
    };
    note(textsOf(offered).join("\n"), "offered tool");
    for (const message of prompt) {
      if (message.role === "assistant") tries += 1;
      else note(textsOf(shownOf(message)).join("\n"), placeOf(message.role));
    }
    const payload = known.get([...found.keys()].at(-1) ?? "");
    const asked = { tool, harmless: harmlessFor(offered), secrets: secretsIn(JSON.stringify([prompt, tools]), key) };
    const attempt = payload === undefined ? undefined : triesOf(payload, asked)[tries];
    const answer = answerWith(attempt ?? harmlessTry(tool, asked.harmless, prompt), {
      providerMetadata: { provider: { key } },
    });
    const { run } = dataOf(prompt) as { readonly run: { readonly runId: string } };
    const instruction = attempt === undefined ? undefined : payload?.instruction.name;
    obeyed.push({ runId: run.runId, tool, found, instruction, prompt, tools, answer });
    return answer;
  };
  return {
    obeyed,
    model: {
      specificationVersion: "v4",
      provider: "obedient",
      modelId: "obedient-1",
      supportedUrls: {},
      doGenerate: (options) => Promise.resolve(answerTo(options)),
      doStream: () => Promise.reject(new Error("The engine requests no stream.")),
    },
  };
}

/** A different try comes first each time. A question is finally answered, so that its run continues to the payment. */
function triesOf({ instruction, number }: Payload, asked: Asked): readonly Try[] {
  const all = asked.tool === "answer" ? instruction.answering(asked) : instruction.proposing(asked);
  const first = number % all.length;
  const turned = [...all.slice(first), ...all.slice(0, first)];
  return asked.tool === "answer" ? turned.slice(0, maxAnswers) : turned;
}

const maxAnswers = 3;

function placeOf(role: ModelPrompt[number]["role"]): Place {
  return role === "system" ? "system" : role === "tool" ? "tool message" : "data";
}

/** The content of a message, with JSON in it decoded as a model reads it. */
function shownOf(message: ModelPrompt[number]): unknown {
  if (message.role === "system") return message.content;
  return message.content.map((part) => (part.type === "text" ? [part.text, ...jsonLines(part.text)] : part));
}

function jsonLines(text: string): readonly unknown[] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}

/** Every text in a value, member names included. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
}

/** Harmless arguments of the offered tool. */
function harmlessFor(
  offered: NonNullable<ModelOptions["tools"]>[number] | undefined,
): Readonly<Record<string, unknown>> {
  if (offered?.type !== "function") return {};
  const { properties = {} } = offered.inputSchema as { readonly properties?: object };
  const all = { amount: 100, reference: "INV-1", account: "acc_1" };
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(properties, name)));
}

function harmlessTry(tool: string, harmless: Readonly<Record<string, unknown>>, prompt: ModelPrompt): Try {
  if (tool === "answer") return [callOf("call_harmless", tool, { branch: "pay", reason: "It is due." })];
  const isDone = JSON.stringify(prompt.at(-1) ?? "").includes('"outcome":"done"');
  return isDone ? [{ type: "text", text: "Everything is paid." }] : [callOf("call_harmless", tool, harmless)];
}

/** The texts that look like keys or tokens, and the model's own key. */
function secretsIn(shown: string, key: string): readonly string[] {
  const looks = /cnry[\w/+%"-]+|whsec_\w+|rsk_\w+|Bearer [\w/+%"-]+|(?:[0-9a-f]{2}){24,}/gi;
  return [...new Set([...(shown.match(looks) ?? []), key])];
}
