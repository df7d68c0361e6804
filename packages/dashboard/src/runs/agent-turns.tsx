import { Bot, Wrench } from "lucide-react";
import type { ReactElement } from "react";
import type { RunStep } from "../api/models.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { formatDuration } from "../values/time.ts";

type Turn = NonNullable<RunStep["turns"]>[number];
type Message = Turn["messages"][number];
type Part = NonNullable<Turn["reply"]>[number];

/** The conversation of a step's agent. The model's words are marked, so that no one reads them as the service's. */
export function AgentTurns({ turns }: { readonly turns: readonly Turn[] }): ReactElement {
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-semibold">Agent</h3>
      <ol className="flex flex-col gap-3">
        {turns.map((turn) => (
          <li key={turn.turn} className="flex flex-col gap-2 border-l-2 border-hairline pl-3">
            <TurnFacts turn={turn} />
            {turn.messages.map((message, index) => (
              <MessageView key={index} message={message} />
            ))}
            {turn.reply?.map((part, index) => (
              <PartView key={index} part={part} />
            ))}
            {turn.error !== undefined && <p className="font-medium text-failed wrap-anywhere">{turn.error}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function TurnFacts({ turn }: { readonly turn: Turn }): ReactElement {
  const { usage, latencyMs, modelId, finishReason, attempts } = turn;
  const facts = [
    `Turn ${turn.turn}`,
    modelId,
    usage !== undefined &&
      `${usage.inputTokens} + ${usage.outputTokens} tokens${usage.estimated !== undefined ? ", estimated" : ""}`,
    latencyMs !== undefined && formatDuration(latencyMs),
    finishReason,
    attempts > 1 && `${attempts} attempts`,
  ];
  return <p className="text-small text-text-3">{facts.filter(Boolean).join(" · ")}</p>;
}

function MessageView({ message }: { readonly message: Message }): ReactElement {
  if (message.role === "tool") {
    return (
      <details className="rounded-panel border border-hairline px-3 py-2">
        <summary className="font-medium">
          {message.isError === true ? "Error of" : "Result of"} {message.toolName}
        </summary>
        <div className="mt-2">
          <JsonView what="Result" value={message.output as JsonValue} />
        </div>
      </details>
    );
  }
  return (
    <details className="rounded-panel border border-hairline px-3 py-2" open={message.role === "user"}>
      <summary className="font-medium">{message.role === "system" ? "Instructions of the service" : "Task"}</summary>
      <p className="mt-2 wrap-anywhere whitespace-pre-wrap">{message.text}</p>
    </details>
  );
}

function PartView({ part }: { readonly part: Part }): ReactElement {
  if (part.type === "tool_call") {
    return (
      <div className="flex flex-col gap-2 rounded-panel border border-hairline px-3 py-2">
        <p className="flex items-center gap-2 font-medium">
          <Wrench aria-hidden size={14} /> {part.toolName}
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
