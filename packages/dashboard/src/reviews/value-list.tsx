import type { ReactElement } from "react";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { cx } from "../ui/cx.ts";

/** Members of an object as names and values. Values with members of their own are trees. */
export function ValueList({
  value,
  isProminent = false,
}: {
  readonly value: JsonValue;
  /** Values in large type, for what a person approves. */
  readonly isProminent?: boolean;
}): ReactElement {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return <JsonView what="Value" value={value} />;
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  if (members.length === 0) return <p className="text-text-2">Nothing.</p>;
  return (
    <dl className="flex flex-col gap-2">
      {members.map(([name, member]) => (
        <div key={name} className="grid grid-cols-[minmax(6rem,12rem)_1fr] gap-x-4 gap-y-1 max-sm:grid-cols-1">
          <dt className="text-text-2 wrap-anywhere">{name}</dt>
          <dd className="min-w-0">
            {typeof member === "object" && member !== null ? (
              <JsonView what={name} value={member} />
            ) : (
              <span
                className={cx(
                  "wrap-anywhere whitespace-pre-wrap",
                  isProminent && "text-section font-semibold",
                  typeof member === "number" && "font-mono tabular-nums",
                )}
              >
                {typeof member === "string" ? member : JSON.stringify(member)}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
