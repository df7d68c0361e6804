import type { JsonValue } from "@procedo/contract";
import { answerWith, callOf, type ModelAnswer, type ModelPrompt } from "../model-types.ts";
import { dataOf } from "../prompt-data.ts";
import { guardedAbove, mostBookings, sumOfRun, type LoopInput } from "./loop-procedure.ts";

/** The subject of a prompt. */
export interface Subject {
  readonly runId: string;
  readonly input: LoopInput;
  /** From 1, within the node's visit. */
  readonly turn: number;
  /** The calls whose results are in the prompt. */
  readonly calls: number;
}

export function subjectOf(prompt: ModelPrompt): Subject {
  const { run, input } = dataOf(prompt) as unknown as { readonly run: { readonly runId: string }; input: LoopInput };
  const told = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return {
    runId: run.runId,
    input,
    turn: prompt.filter(({ role }) => role === "assistant").length + 1,
    calls: told.filter((part) => part.type === "tool-result" && isOfCall(part.output)).length,
  };
}

function isOfCall(output: { readonly type: string; readonly value?: unknown }): boolean {
  const value = output.value as { readonly outcome?: JsonValue } | undefined;
  return value?.outcome === "done" || value?.outcome === "failed";
}

/**
 * The model's answer. All answers differ, so that a repeated prompt has a different result. `serial` is the answer's
 * number. Pure.
 */
export function replyTo(prompt: ModelPrompt, tool: string, serial: number): ModelAnswer {
  const subject = subjectOf(prompt);
  const reference = `answer ${serial}`;
  const reply = (input: unknown, ...more: unknown[]): ModelAnswer =>
    answerWith(
      [
        { type: "text", text: `This is ${reference}.` },
        ...[input, ...more].map((one, index) => callOf(`call_${serial}_${index}`, tool, one)),
      ],
      { response: { id: `answer_${serial}`, modelId: "loop-1" } },
    );
  if (subject.input.shape === "repair") {
    const wrong = wrongReplies(tool, reference)[subject.turn - 1];
    if (wrong !== undefined) return reply(...wrong);
  }
  switch (tool) {
    case "answer":
      return reply({ branch: subject.input.n % 7 === 0 ? "drop" : "pay", reason: reference });
    case "pay":
      return reply({ amount: amountOf(subject.input), reference });
    default: {
      const { calls, input } = subject;
      if (calls < bookingsOf(input)) return reply({ amount: calls + 1, reference });
      const response = { id: `answer_${serial}`, modelId: "loop-1" };
      return answerWith([{ type: "text", text: `All is booked, says ${reference}.` }], { response });
    }
  }
}

function wrongReplies(tool: string, reference: string): readonly (readonly [unknown, ...unknown[]])[] {
  if (tool === "answer") return [[{ branch: "everything", reason: reference }], [`{"branch": "pay"`]];
  if (tool === "pay") {
    return [
      [`{"amount": ${"9".repeat(30)}, "reference": "${reference}"}`],
      [{ amount: 1, reference, vendorId: "ven_mine" }],
      [
        { amount: 1, reference },
        { amount: 1, reference },
      ],
    ];
  }
  return [[{ amount: "one", reference }]];
}

/** The amount that the agent pays, by the run's shape. */
export function amountOf({ n, shape, amount }: LoopInput): number {
  if (amount !== undefined) return amount;
  switch (shape) {
    case "guard":
      return guardedAbove + n;
    case "over":
      return sumOfRun + 1 + (n % 100);
    default:
      return 1 + (n % sumOfRun);
  }
}

/** The number of entries that it books. */
export function bookingsOf({ n }: LoopInput): number {
  return 1 + (n % mostBookings);
}
