import { Repeat, Eye, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { JsonValue } from "../values/json-lines.ts";
import { originsOf } from "./argument-origins.ts";
import { effectWords } from "./review-words.ts";
import type { ShownCall } from "./shown-parts.ts";
import { ValueList } from "./value-list.tsx";

/** A call exactly as it is sent: its receiver, its effect, and each argument with its digits. */
export function CallPanel({
  call: { connection, account, action, effect, method, path, origin, arguments: args },
  origins,
}: {
  readonly call: ShownCall;
  readonly origins: Readonly<Record<string, JsonValue>>;
}): ReactElement {
  return (
    <div className="rounded-panel border border-control">
      <div className="flex flex-col gap-1 border-b border-hairline px-4 py-2.5">
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">
            <span className="font-semibold">{action}</span> <span className="text-text-2">at {connection}</span>
          </span>
          {effect !== undefined && <Effect effect={effect} />}
        </p>
        {account !== undefined && <p className="wrap-anywhere text-text-2">Account: {account}</p>}
        {origin !== undefined && (
          <p className="font-mono text-code wrap-anywhere text-text-2">
            <span className="font-semibold text-text">{method}</span> <span className="text-text">{origin}</span>
            {path}
          </p>
        )}
      </div>
      <div className="px-4 py-1">
        <ValueList value={args} isProminent beside={(name) => <Origins name={name} origins={origins} />} />
      </div>
    </div>
  );
}

type EffectName = NonNullable<ShownCall["effect"]>;

const effectIcons: Readonly<Record<EffectName, LucideIcon>> = { read: Eye, idempotent: Repeat, once: TriangleAlert };

function Effect({ effect }: { readonly effect: EffectName }): ReactElement {
  const { word, meaning } = effectWords[effect];
  const Icon = effectIcons[effect];
  const colours = effect === "once" ? "bg-review-bg text-review" : "bg-sunken text-text-2";
  return (
    <span
      title={meaning}
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-small font-medium ${colours}`}
    >
      <Icon aria-hidden size={12} />
      {word}
      <span className="sr-only">: {meaning}</span>
    </span>
  );
}

function Origins({
  name,
  origins,
}: {
  readonly name: string;
  readonly origins: Readonly<Record<string, JsonValue>>;
}): ReactElement | null {
  const told = originsOf(name, origins);
  if (told.length === 0) return null;
  return (
    <ul className="text-small">
      {told.map(({ within, words, isFromModel }) => (
        <li key={within} className={isFromModel ? "text-review" : "text-text-2"}>
          {within !== "" && <code className="font-mono">{within} </code>}
          {words}
        </li>
      ))}
    </ul>
  );
}
