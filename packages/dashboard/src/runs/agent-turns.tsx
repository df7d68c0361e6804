import { Bot, ScrollText, Wrench } from "lucide-react";
import type { ReactElement } from "react";
import type { RunStep } from "../api/models.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { formatDuration } from "../values/time.ts";

type Turn = NonNullable<RunStep["turns"]>[number];
type Message = Turn["messages"][number];
type Part = NonNullable<Turn["reply"]>[number];

/** `2 turns · 1714 tokens`. */
export function agentSummary(turns: readonly Turn[]): string {
  const tokens = turns.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), 0);
  return `${turns.length} ${turns.length === 1 ? "turn" : "turns"} · ${tokens} tokens`;
}

/** The conversation of a step's agent. The model's words are marked, so that no one reads them as the service's. */
export function AgentTurns({ turns }: { readonly turns: readonly Turn[] }): ReactElement {
  return (
    <ol className="flex flex-col gap-4">
      {turns.map((turn) => (
        <li key={turn.turn} className="flex flex-col gap-2 border-l-2 border-hairline pl-3">
          <p className="flex flex-wrap justify-between gap-x-4 text-small">
            <span className="font-semibold">Turn {turn.turn}</span>
            <span className="text-text-3">{factsOf(turn)}</span>
          </p>
          {turn.messages.map((message, index) => (
            <MessageView key={index} message={message} />
          ))}
          {turn.reply?.map((part, index) => (
            <PartView key={index} part={part} />
          ))}
          {turn.error !== undefined && <p className="font-medium text-failed wrap-anywhere">{turn.error}</p>}
          {turn.stop !== undefined && <p className="text-small text-text-2">{consequences[turn.stop]}</p>}
        </li>
      ))}
    </ol>
  );
}

const consequences: Readonly<Record<NonNullable<Turn["stop"]>, string>> = {
  called: "The proposed call was accepted and made.",
  corrected: "The proposal did not fit. The model was asked to correct it.",
  answered: "The answer was taken.",
  concluded: "The model wanted no further call.",
  reviewed: "A person was asked to decide about the proposal.",
  failed: "The step failed.",
};

function factsOf({ usage, latencyMs, modelId, finishReason, attempts }: Turn): string {
  const estimated = usage?.estimated === undefined ? "" : ", estimated";
  const facts = [
    modelId,
    usage !== undefined && `${usage.inputTokens} tokens in, ${usage.outputTokens} out${estimated}`,
    latencyMs !== undefined && formatDuration(latencyMs),
    finishReason !== undefined && `stopped: ${finishReason}`,
    attempts > 1 && `${attempts} attempts`,
  ];
  return facts.filter(Boolean).join(" · ");
}

function MessageView({ message }: { readonly message: Message }): ReactElement {
  if (message.role === "tool") {
    return (
      <div className="flex flex-col gap-1.5 rounded-panel border border-hairline px-3 py-2">
        <p className={message.isError === true ? "font-medium text-failed" : "font-medium"}>
          {message.isError === true ? "Refused" : "Result"}: {message.toolName}
        </p>
        <JsonView what="Result" value={message.output as JsonValue} />
      </div>
    );
  }
  return (
    <details className="rounded-panel border border-hairline px-3 py-2">
      <summary className="font-medium">
        <ScrollText aria-hidden size={13} className="mr-1.5 inline align-[-2px] text-text-3" />
        {message.role === "system" ? "Rules and instructions" : "Data that the model was given"}
      </summary>
      <p className="mt-2 text-small wrap-anywhere whitespace-pre-wrap text-text-2">{message.text}</p>
    </details>
  );
}

function PartView({ part }: { readonly part: Part }): ReactElement {
  if (part.type === "tool_call") {
    return (
      <div className="flex flex-col gap-1.5 rounded-panel border border-hairline px-3 py-2">
        <p className="flex items-center gap-1.5 font-medium">
          <Wrench aria-hidden size={14} className="text-text-3" /> Proposed call: {part.toolName}
        </p>
        <JsonView what="Arguments" value={part.arguments as JsonValue} />
      </div>
    );
  }
  return (
    <figure className="rounded-panel bg-sunken px-3 py-2">
      <figcaption className="flex items-center gap-1.5 text-small text-text-3">
        <Bot aria-hidden size={13} /> {part.type === "text" ? "Model's words" : "Model's reasoning"}
      </figcaption>
      <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{part.text}</p>
    </figure>
  );
}
