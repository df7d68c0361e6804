import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { createWorkUnderWay, type WorkUnderWay } from "./work-under-way.ts";

/** The answer of a played model. `hangs`: no answer until the request is aborted. @throws the provider's error */
export type ModelAnswer = LanguageModelV4GenerateResult | "hangs";

export type AnswerTo = (
  options: LanguageModelV4CallOptions,
  work: WorkUnderWay,
) => ModelAnswer | PromiseLike<ModelAnswer>;

/** A language model with scripted or recorded answers, without a provider. */
export class PlayedModel implements LanguageModelV4 {
  readonly specificationVersion = "v4";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly #answerTo: AnswerTo;
  readonly #work: WorkUnderWay;

  constructor(
    names: { readonly provider: string; readonly modelId: string },
    answerTo: AnswerTo,
    work = createWorkUnderWay(),
  ) {
    this.provider = names.provider;
    this.modelId = names.modelId;
    this.#answerTo = answerTo;
    this.#work = work;
  }

  /** The same model on a test's clock. */
  in(work: WorkUnderWay): PlayedModel {
    return new PlayedModel(this, this.#answerTo, work);
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const answer = await this.#work.during(() => this.#answerTo(options, this.#work));
    return answer === "hangs" ? await untilAborted(options.abortSignal) : answer;
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const parts = streamPartsOf(await this.doGenerate(options));
    return { stream: new ReadableStream({ start: (controller) => sendAll(controller, parts) }) };
  }
}

function sendAll(
  controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>,
  parts: readonly LanguageModelV4StreamPart[],
): void {
  for (const part of parts) controller.enqueue(part);
  controller.close();
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new DOMException("The request to the model was aborted.", "AbortError"));
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/** The parts of an answer as a stream would deliver them, with texts in two pieces. */
function streamPartsOf({
  content,
  finishReason,
  usage,
  providerMetadata,
  response,
  warnings,
}: LanguageModelV4GenerateResult): readonly LanguageModelV4StreamPart[] {
  const metadata = providerMetadata === undefined ? {} : { providerMetadata };
  return [
    { type: "stream-start", warnings },
    ...(response === undefined ? [] : [{ type: "response-metadata" as const, ...namesOf(response) }]),
    ...content.flatMap((part, index): LanguageModelV4StreamPart[] => {
      const given = part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata };
      const id = String(index);
      switch (part.type) {
        case "text":
        case "reasoning": {
          const half = Math.ceil(part.text.length / 2);
          const pieces = [part.text.slice(0, half), part.text.slice(half)];
          return [
            { type: `${part.type}-start`, id },
            ...pieces.map((delta) => ({ type: `${part.type}-delta` as const, id, delta })),
            { type: `${part.type}-end`, id, ...given },
          ];
        }
        case "tool-call":
          return [
            { type: "tool-input-start", id: part.toolCallId, toolName: part.toolName },
            { type: "tool-input-delta", id: part.toolCallId, delta: part.input },
            { type: "tool-input-end", id: part.toolCallId },
            part,
          ];
        default:
          return [part];
      }
    }),
    { type: "finish", finishReason, usage, ...metadata },
  ];
}

function namesOf({ id, modelId, timestamp }: NonNullable<LanguageModelV4GenerateResult["response"]>) {
  return {
    ...(id !== undefined && { id }),
    ...(modelId !== undefined && { modelId }),
    ...(timestamp !== undefined && { timestamp }),
  };
}
