import type { ReactElement, ReactNode } from "react";
import { cx } from "../ui/cx.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";

/** Members of an object as names and values. Values with members of their own are trees. */
export function ValueList({
  value,
  isProminent = false,
  beside,
}: {
  readonly value: JsonValue;
  /** Values in large type, for what a person approves. */
  readonly isProminent?: boolean;
  /** Further facts about a member, below its value. */
  readonly beside?: (name: string) => ReactNode;
}): ReactElement {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return <JsonView what="Value" value={value} />;
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  if (members.length === 0) return <p className="text-text-2">Nothing.</p>;
  return (
    <dl className={cx("flex flex-col", isProminent ? "divide-y divide-hairline" : "gap-1.5")}>
      {members.map(([name, member]) => (
        <div
          key={name}
          className={cx(
            "grid grid-cols-[8.5rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 max-sm:grid-cols-[7rem_minmax(0,1fr)]",
            isProminent && "py-2",
          )}
        >
          <dt className="wrap-anywhere text-text-2">{name}</dt>
          <dd className="min-w-0">
            <Value name={name} value={member} isProminent={isProminent} />
            {beside?.(name)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({
  name,
  value,
  isProminent,
}: {
  readonly name: string;
  readonly value: JsonValue;
  readonly isProminent: boolean;
}): ReactElement {
  if (isShort(value)) return <ShortObject value={value} />;
  if (typeof value === "object" && value !== null) return <JsonView what={name} value={value} />;
  if (value === "") return <span className="text-text-3">empty text</span>;
  return (
    <span
      className={cx(
        "wrap-anywhere whitespace-pre-wrap",
        isProminent && "text-section font-semibold",
        typeof value !== "string" && "font-mono tabular-nums",
      )}
    >
      {typeof value === "string" ? <bdi>{value}</bdi> : JSON.stringify(value)}
    </span>
  );
}

type Scalar = Exclude<JsonValue, object>;

const shortMembers = 8;

/** Whether a value is an object of a few members without members of their own. */
function isShort(value: JsonValue): value is Readonly<Record<string, Scalar>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = Object.values(value);
  return members.length > 0 && members.length <= shortMembers && members.every((member) => !isNested(member));
}

function isNested(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

function ShortObject({ value }: { readonly value: Readonly<Record<string, Scalar>> }): ReactElement {
  return (
    <dl className="flex flex-col gap-0.5">
      {Object.entries(value).map(([name, member]) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="wrap-anywhere text-text-2">{name}</dt>
          <dd className="min-w-0">
            <Value name={name} value={member} isProminent={false} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
