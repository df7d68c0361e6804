import { CornerDownRight, RotateCcw } from "lucide-react";
import { useMemo, type ReactElement, type ReactNode } from "react";
import { cx } from "../ui/cx.ts";
import { StatusIcon } from "../ui/status-badge.tsx";
import { statusWord } from "../ui/status-word.ts";
import { NodeIcon } from "./node-icon.tsx";
import { captionOf, kindWord } from "./node-kinds.ts";
import { outlineOf, type OutlineBranch, type OutlineEntry } from "./outline.ts";
import type { ShownChart, ShownNode } from "./shown-chart.ts";

interface OutlineViewProps extends ShownChart {
  readonly hasRun: boolean;
  readonly onOpen?: ((nodeId: string) => void) | undefined;
}

/** A flowchart in words, in the order in which it is read. */
export function OutlineView({ nodes, edges, hasRun, onOpen }: OutlineViewProps): ReactElement {
  const entries = useMemo(() => outlineOf({ nodes, edges }), [nodes, edges]);
  return (
    <section
      aria-label="Outline"
      className="min-w-0 overflow-auto rounded-panel border border-hairline bg-surface p-3 lg:max-h-[72dvh] print:max-h-none"
      tabIndex={0}
    >
      <h2 className="pb-2 font-semibold">Outline</h2>
      <Entries {...{ entries, hasRun, onOpen }} />
    </section>
  );
}

type Shared = Pick<OutlineViewProps, "hasRun" | "onOpen">;

function Entries({ entries, ...shared }: Shared & { readonly entries: readonly OutlineEntry[] }): ReactElement {
  return (
    <ol className="flex flex-col gap-0.5">
      {entries.map((entry, index) =>
        entry.kind === "jump" ? (
          <li key={index} className="flex items-start gap-2 py-1 text-text-2">
            {entry.isLoop ? (
              <RotateCcw aria-hidden size={14} className="mt-0.5 shrink-0 text-text-3" />
            ) : (
              <CornerDownRight aria-hidden size={14} className="mt-0.5 shrink-0 text-text-3" />
            )}
            <span className="wrap-anywhere">
              {entry.isLoop ? "back to" : "continues at"} {entry.to.title}
            </span>
          </li>
        ) : (
          <li key={index}>
            <Step node={entry.node} {...shared} />
            {entry.branches.length > 0 && <Branches branches={entry.branches} {...shared} />}
          </li>
        ),
      )}
    </ol>
  );
}

function Step({ node, hasRun, onOpen }: Shared & { readonly node: ShownNode }): ReactElement {
  const { kind, title, detail, status, visits } = node;
  const caption = captionOf(node);
  const isVisited = visits > 0;
  const content = (
    <>
      <NodeIcon node={node} />
      <span className="min-w-0 flex-1 text-left">
        <span
          className={cx(
            "block wrap-anywhere",
            hasRun && !isVisited ? "text-text-3" : "font-medium",
            (kind === "start" || kind === "end") && "first-letter:uppercase",
          )}
        >
          {title}
        </span>
        {caption !== undefined && (
          <span className="block text-small wrap-anywhere text-text-3">
            {detail === undefined ? caption : `${kindWord(kind)} · ${detail}`}
          </span>
        )}
      </span>
      {status !== undefined && (
        <span className="flex items-center gap-1 text-small whitespace-nowrap text-text-2">
          {visits > 1 && `${visits}×`}
          <StatusIcon status={status} />
          <span className="sr-only">{statusWord(status)}</span>
        </span>
      )}
    </>
  );
  const look = "flex w-full items-start gap-2 rounded-control px-1 py-1";
  if (onOpen === undefined || !isVisited) return <div className={look}>{content}</div>;
  return (
    <button type="button" className={cx(look, "hover:bg-sunken")} onClick={() => onOpen(node.id)}>
      {content}
    </button>
  );
}

function Branches({ branches, ...shared }: Shared & { readonly branches: readonly OutlineBranch[] }): ReactElement {
  return (
    <ul className="ml-2 flex flex-col gap-1 border-l border-hairline py-0.5 pl-3">
      {branches.map(({ edge, steps }, index) => (
        <li key={index}>
          <p className="py-0.5 text-small wrap-anywhere text-text-2">
            <BranchName isTaken={shared.hasRun && edge.isTaken}>{edge.branch ?? "then"}</BranchName>
            {edge.when !== undefined && <span className="ml-1.5">{edge.when}</span>}
            {edge.expression !== undefined && edge.expression !== edge.when && (
              <code className="block font-mono text-code text-text-3">{edge.expression}</code>
            )}
          </p>
          {steps.length === 0 ? (
            <p className="pl-6 text-small text-text-3">continues below</p>
          ) : (
            <Entries entries={steps} {...shared} />
          )}
        </li>
      ))}
    </ul>
  );
}

function BranchName({ isTaken, children }: { readonly isTaken: boolean; readonly children: ReactNode }): ReactElement {
  return (
    <span
      className={cx(
        "rounded-full border px-1.5",
        isTaken ? "border-completed font-semibold text-completed" : "border-hairline",
      )}
    >
      {children}
      {isTaken && <span className="font-normal"> · taken</span>}
    </span>
  );
}
