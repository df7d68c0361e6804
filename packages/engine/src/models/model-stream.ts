import type {
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { BrokenAnswer, IncompleteReply, OversizedReply } from "./model-failure.ts";

type Generated = LanguageModelV3GenerateResult | LanguageModelV4GenerateResult;
type StreamPart = LanguageModelV3StreamPart | LanguageModelV4StreamPart;

/** The fields of an answer, whole or collected from a stream, from which a reply is made. */
export interface GatheredAnswer extends Pick<Generated, "finishReason" | "usage"> {
  readonly content: readonly AnswerPart[];
  readonly response?: { readonly id?: string; readonly modelId?: string };
  readonly providerMetadata?: SharedV4ProviderMetadata;
}

export type AnswerPart = Generated["content"][number];

/** A text or reasoning block that is still being streamed. */
interface OpenBlock {
  readonly type: "text" | "reasoning";
  text: string;
  providerMetadata?: SharedV4ProviderMetadata;
}

/**
 * Reads a streamed answer to its end.
 *
 * @param mostChars the most characters of the answer; the reader cancels a longer stream
 * @throws IncompleteReply if the stream ends before the answer does; BrokenAnswer if the stream reports an error;
 *   OversizedReply
 */
export async function gatherStream(
  stream: ReadableStream<StreamPart>,
  { mostChars, signal }: { readonly mostChars: number; readonly signal: AbortSignal },
): Promise<GatheredAnswer> {
  const answer = new StreamedAnswer(mostChars);
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return answer.finished();
      answer.take(value);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    // Closes the connection of a stream that was not read to its end.
    cancel();
  }
}

class StreamedAnswer {
  readonly #content: (AnswerPart | OpenBlock)[] = [];
  readonly #open = new Map<string, OpenBlock>();
  readonly #mostChars: number;
  #chars = 0;
  #response: { id?: string; modelId?: string } = {};
  #finish: Extract<StreamPart, { type: "finish" }> | undefined;

  constructor(mostChars: number) {
    this.#mostChars = mostChars;
  }

  take(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#block(part.type === "text-start" ? "text" : "reasoning", part);
        break;
      case "text-delta":
      case "reasoning-delta":
        this.#count(part.delta);
        this.#block(part.type === "text-delta" ? "text" : "reasoning", part).text += part.delta;
        break;
      case "text-end":
      case "reasoning-end":
        this.#block(part.type === "text-end" ? "text" : "reasoning", part);
        this.#open.delete(`${part.type === "text-end" ? "text" : "reasoning"} ${part.id}`);
        break;
      case "tool-input-delta":
        this.#count(part.delta);
        break;
      case "response-metadata":
        this.#response = {
          ...this.#response,
          ...(part.id === undefined ? {} : { id: part.id }),
          ...(part.modelId === undefined ? {} : { modelId: part.modelId }),
        };
        break;
      case "finish":
        this.#finish = part;
        break;
      case "error":
        throw new BrokenAnswer("The stream ended with an error.", { cause: part.error });
      case "stream-start":
      case "tool-input-start":
      case "tool-input-end":
      case "ping":
      case "raw":
        break;
      default:
        // Anthropic's package reports the start of an answer with a part of this kind.
        if (part.type !== "custom" || part.kind !== "anthropic.message_start") this.#content.push(part);
    }
  }

  finished(): GatheredAnswer {
    if (this.#finish === undefined) throw new IncompleteReply("ended its answer before it was complete.");
    const { finishReason, usage, providerMetadata } = this.#finish;
    return {
      content: this.#content,
      finishReason,
      usage,
      response: this.#response,
      ...(providerMetadata === undefined ? {} : { providerMetadata }),
    };
  }

  /** The block of a part. Later metadata replaces earlier metadata: a signature arrives once the text is complete. */
  #block(
    type: OpenBlock["type"],
    { id, providerMetadata }: { readonly id: string; readonly providerMetadata?: SharedV4ProviderMetadata },
  ): OpenBlock {
    const name = `${type} ${id}`;
    let block = this.#open.get(name);
    if (block === undefined) {
      block = { type, text: "" };
      this.#open.set(name, block);
      this.#content.push(block);
    }
    if (providerMetadata !== undefined) block.providerMetadata = providerMetadata;
    return block;
  }

  #count(delta: string): void {
    this.#chars += delta.length;
    if (this.#chars > this.#mostChars) throw new OversizedReply(`has more than the limit of ${this.#mostChars} bytes`);
  }
}
