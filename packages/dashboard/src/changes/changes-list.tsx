import type { ProcedureDocument } from "@procedo/contract";
import { CircleMinus, CirclePlus, Pencil } from "lucide-react";
import { useMemo, type ReactElement } from "react";
import { cx } from "../ui/cx.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { visibleJson } from "../values/visible-text.ts";
import { groupChanges, type ChangeGroup, type FieldChange } from "./change-groups.ts";

/** The changes from one document to another, by step, with the old and the new value of each field. */
export function ChangesList({
  before,
  after,
}: {
  readonly before: ProcedureDocument;
  readonly after: ProcedureDocument;
}): ReactElement {
  const groups = useMemo(() => groupChanges(before, after), [before, after]);
  if (groups.length === 0) return <p className="text-text-2">The documents are the same.</p>;
  return (
    <ul className="flex flex-col divide-y divide-hairline">
      {groups.map((group, index) => (
        <Group key={index} group={group} />
      ))}
    </ul>
  );
}

const looks = {
  added: { word: "Added", icon: CirclePlus, text: "text-completed" },
  removed: { word: "Removed", icon: CircleMinus, text: "text-failed" },
  changed: { word: "Changed", icon: Pencil, text: "text-accent" },
} as const;

function Group({
  group: { change, title, subtitle, fields, sentences },
}: {
  readonly group: ChangeGroup;
}): ReactElement {
  const { word, icon: Icon, text } = looks[change];
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <span className={cx("inline-flex items-center gap-1.5 text-small font-medium", text)}>
          <Icon aria-hidden size={13} className="self-center" />
          {word}
        </span>
        <span className="font-semibold wrap-anywhere">{title}</span>
        {subtitle !== undefined && <span className="text-small text-text-3">{subtitle}</span>}
      </p>
      {sentences.map((sentence) => (
        <p key={sentence} className="wrap-anywhere">
          {sentence}
        </p>
      ))}
      {fields.length > 0 && (
        <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[minmax(7rem,max-content)_minmax(0,1fr)]">
          {fields.map((field) => (
            <Field key={field.name} field={field} />
          ))}
        </dl>
      )}
    </li>
  );
}

function Field({ field: { name, before, after, readings } }: { readonly field: FieldChange }): ReactElement {
  return (
    <>
      <dt className="max-w-60 font-mono text-code wrap-anywhere text-text-2">{name}</dt>
      <dd className="flex min-w-0 flex-col gap-1 font-mono text-code wrap-anywhere whitespace-pre-wrap max-sm:pb-2">
        {before !== undefined && (
          <del className="rounded-control bg-failed-bg px-1.5 text-failed no-underline">
            <span className="sr-only">old: </span>− <Value value={before} reading={readings?.before} />
          </del>
        )}
        {after !== undefined && (
          <ins className="rounded-control bg-completed-bg px-1.5 text-completed no-underline">
            <span className="sr-only">new: </span>+ <Value value={after} reading={readings?.after} />
          </ins>
        )}
      </dd>
    </>
  );
}

/** A value; an expression in words, and below them as it is written. */
function Value({ value, reading }: { readonly value: JsonValue; readonly reading: string | undefined }): ReactElement {
  if (reading === undefined || reading === value) return <>{shown(value)}</>;
  return (
    <>
      <span className="font-sans text-body">{reading}</span>
      <span className="block pl-4">{shown(value)}</span>
    </>
  );
}

function shown(value: JsonValue): string {
  return typeof value === "string" ? visibleJson(value) : JSON.stringify(value, undefined, 1);
}
