import type { JsonValue, ProcedureDocument } from "@procedo/contract";
import type { ReactElement } from "react";
import { TextField } from "../../ui/field.tsx";
import type { DocumentEdit } from "../document/document-edit.ts";
import type { FieldMessages } from "../problems/shown-problems.ts";
import { FieldPlace } from "./bound-fields.tsx";
import { FieldGroup } from "./field-group.tsx";
import { NumberField } from "./number-field.tsx";

const runLimits = [
  ["modelCalls", "Most model calls in a run"],
  ["tokens", "Most tokens in a run"],
  ["toolCalls", "Most calls of actions in a run"],
] as const;
const dayLimits = [
  ["modelCalls", "Most model calls in a day"],
  ["tokens", "Most tokens in a day"],
  ["toolCalls", "Most calls of actions in a day"],
] as const;

interface BudgetFieldsProps {
  readonly document: ProcedureDocument;
  readonly edit: (...edits: readonly DocumentEdit[]) => void;
  readonly endAct: () => void;
  readonly messagesAt: (pointer: string) => FieldMessages;
}

/** Limits of the agents of the procedure: in one run, and in all runs of a day. */
export function BudgetFields({ document, edit, endAct, messagesAt }: BudgetFieldsProps): ReactElement {
  const { run, day } = document.budgets ?? {};
  const set = (part: "run" | "day", name: string, value: JsonValue | undefined): DocumentEdit => ({
    kind: "set_member",
    path: ["budgets", part, name],
    value,
  });
  const setDay = (name: (typeof dayLimits)[number][0], value: number | undefined): void => {
    const isLast = dayLimits.every(([one]) => (one === name ? value : day?.[one]) === undefined);
    // Without a limit there is no day whose zone counts; the first limit needs one.
    if (isLast) edit({ kind: "set_member", path: ["budgets", "day"], value: undefined });
    else if (day === undefined) edit(set("day", name, value), set("day", "timeZone", ownTimeZone()));
    else edit(set("day", name, value));
  };
  return (
    <FieldGroup title="Limits of agents" isOpen={document.budgets !== undefined}>
      <p className="text-small text-text-3">
        They count for all agents of the procedure together. Without a number, a run has the limits of the service, and
        a day has none.
      </p>
      {runLimits.map(([name, label]) => (
        <FieldPlace key={name} pointer={`/budgets/run/${name}`}>
          <NumberField
            place={`/budgets/run/${name}`}
            label={label}
            value={run?.[name]}
            onChange={(value) => edit(set("run", name, value))}
            onEnd={endAct}
            messages={messagesAt(`/budgets/run/${name}`)}
          />
        </FieldPlace>
      ))}
      {dayLimits.map(([name, label]) => (
        <FieldPlace key={name} pointer={`/budgets/day/${name}`}>
          <NumberField
            place={`/budgets/day/${name}`}
            label={label}
            value={day?.[name]}
            onChange={(value) => setDay(name, value)}
            onEnd={endAct}
            messages={messagesAt(`/budgets/day/${name}`)}
          />
        </FieldPlace>
      ))}
      {day !== undefined && (
        <TextField
          label="Time zone of the days"
          hint="Such as Europe/Berlin."
          autoComplete="off"
          // Only a document from elsewhere has a day without a zone.
          value={(day as Partial<typeof day>).timeZone ?? ""}
          onChange={({ target }) => edit(set("day", "timeZone", target.value))}
          onBlur={endAct}
          {...messagesAt("/budgets/day/timeZone")}
        />
      )}
    </FieldGroup>
  );
}

function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
