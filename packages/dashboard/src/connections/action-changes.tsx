import type { ReactElement } from "react";
import { Section } from "../ui/section.tsx";
import type { Updated } from "./use-change-connection.ts";
import { UsesList } from "./uses-list.tsx";

type Changes = NonNullable<Updated["changes"]>;

const kinds = [
  ["added", "Added"],
  ["changed", "Changed: other arguments, result, effect or address"],
  ["deprecated", "Deprecated"],
  ["removed", "Removed: calls of them fail"],
] as const;

/** The actions that a change concerns, and the procedures that call them. */
export function ActionChanges({ changes }: { readonly changes: Changes }): ReactElement {
  const { renamed, usedBy } = changes;
  return (
    <>
      <Section title="Changes of its actions">
        <dl className="flex max-w-3xl flex-col gap-2">
          {kinds
            .filter(([kind]) => changes[kind].length > 0)
            .map(([kind, words]) => (
              <div key={kind}>
                <dt className="text-text-3">{words}</dt>
                <dd className="font-medium wrap-anywhere">{changes[kind].join(", ")}</dd>
              </div>
            ))}
          {renamed.length > 0 && (
            <div>
              <dt className="text-text-3">Renamed: calls by the former name still work</dt>
              <dd className="font-medium wrap-anywhere">
                {renamed.map(({ from, to }) => `${from} is ${to}`).join(", ")}
              </dd>
            </div>
          )}
        </dl>
      </Section>
      <Section title="Procedures that it concerns">
        {usedBy.length === 0 ? (
          <p className="text-text-2">No default version and no draft calls an action that changed.</p>
        ) : (
          <UsesList uses={usedBy} />
        )}
      </Section>
    </>
  );
}
