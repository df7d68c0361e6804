import type { ToolCallNode } from "@procedo/contract";
import { useQuery } from "@tanstack/react-query";
import { useId, type ReactElement } from "react";
import { useEnvironment } from "../../shell/environment.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { ArgumentFields } from "./argument-fields.tsx";
import { BoundNumber, BoundSelect, BoundText, FieldPlace } from "./bound-fields.tsx";
import { DeciderFields } from "./decider-fields.tsx";
import { FieldGroup } from "./field-group.tsx";
import { GuardFields } from "./guard-fields.tsx";
import { BoundTemplate } from "./json-field.tsx";
import { setField, type StepContext } from "./step-context.ts";
import { SumLimitFields } from "./sum-limit-fields.tsx";
import { actionChoices, actionOf, connectionChoices, type CatalogueAction } from "./use-actions.ts";

/** The fields of a Tool Call: the action, its arguments, and the rules for the call. */
export function ToolCallFields({ step }: { readonly step: StepContext<ToolCallNode> }): ReactElement {
  const environment = useEnvironment();
  const { node } = step;
  const connections = useQuery(connectionChoices(environment));
  const connection = connections.data?.find(({ name }) => name === node.connection);
  const actions = useQuery(actionChoices(environment, node.connection));
  const chosen = actions.data?.find(
    ({ name, formerNames }) => name === node.action || formerNames?.includes(node.action),
  );
  const action = useQuery(actionOf(environment, connection?.id, chosen?.name ?? ""));
  const isLoading = connections.isLoading || actions.isLoading || action.isLoading;
  const names = connections.data?.map(({ name }) => name) ?? [];
  return (
    <>
      <BoundSelect
        step={step}
        path={["connection"]}
        label="Connection"
        options={[{ value: "", label: "Choose" }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <ActionField step={step} actions={actions.data ?? []} chosen={chosen} />
      {isLoading && <p className="text-text-2">Loading the arguments …</p>}
      {node.action !== "" && !isLoading && <ArgumentFields step={step} schema={action.data?.input} />}
      <FieldGroup title="Agent" isOpen={node.instructions !== undefined}>
        <BoundText
          step={step}
          path={["instructions"]}
          label="Instructions"
          hint="With instructions, an agent proposes the arguments that are not filled here."
          isLong
          rows={5}
          maxLength={20_000}
        />
        {node.instructions !== undefined && (
          <>
            <BoundNumber
              step={step}
              path={["maxCalls"]}
              label="Most calls"
              hint="In one visit, 1 to 50. Without a number, 1."
            />
            <BoundNumber step={step} path={["budget", "modelCalls"]} label="Most model calls" />
            <BoundNumber step={step} path={["budget", "tokens"]} label="Most tokens" />
          </>
        )}
      </FieldGroup>
      <FieldGroup title="Guards" isOpen={node.guards !== undefined}>
        <GuardFields step={step} />
      </FieldGroup>
      <FieldGroup title="Limits on amounts" isOpen={node.sumLimits !== undefined}>
        <SumLimitFields step={step} />
      </FieldGroup>
      <FieldGroup
        title="Retries and unknown outcome"
        isOpen={node.retry !== undefined || node.timeoutMs !== undefined || node.onUnknownOutcome !== undefined}
      >
        <BoundSelect
          step={step}
          path={["onUnknownOutcome"]}
          label="If the outcome is unknown"
          hint="Standard: messages are sent again, and a person decides about other calls that may not be repeated."
          options={[
            { value: "", label: "Standard" },
            { value: "review", label: "A person decides" },
            { value: "retry", label: "Call again with the same key" },
            { value: "fail", label: "The run fails" },
          ]}
        />
        <BoundNumber
          step={step}
          path={["retry", "maxAttempts"]}
          label="Attempts"
          hint="1 to 20. Without a number, 4."
        />
        <BoundNumber step={step} path={["retry", "initialDelayMs"]} label="First delay in milliseconds" />
        <BoundNumber step={step} path={["retry", "maxDelayMs"]} label="Longest delay in milliseconds" />
        <BoundNumber step={step} path={["timeoutMs"]} label="Time limit of an attempt in milliseconds" />
      </FieldGroup>
      <FieldGroup title="Reviewers of the call" isOpen={node.review !== undefined}>
        <p className="text-small text-text-3">
          They answer the questions about the call: its guards, its limits and an unknown outcome.
        </p>
        <DeciderFields step={step} at={["review"]} />
      </FieldGroup>
      <FieldGroup title="Event" isOpen={node.emit !== undefined}>
        <EventFields step={step} />
      </FieldGroup>
    </>
  );
}

const effectWords = {
  read: "Reads, and changes nothing.",
  idempotent: "May be repeated with its key.",
  once: "Has an effect, and is never repeated blindly.",
} as const;

function ActionField({
  step,
  actions,
  chosen,
}: {
  readonly step: StepContext<ToolCallNode>;
  readonly actions: readonly CatalogueAction[];
  readonly chosen: CatalogueAction | undefined;
}): ReactElement {
  const listId = useId();
  const { action } = step.node;
  const set = (name: string): void => setField({ step, path: ["action"] }, name);
  return (
    <FieldPlace pointer="/action">
      <datalist id={listId}>
        {actions.map(({ name, description, effect, deprecated }) => (
          <option key={name} value={name}>
            {[effect, deprecated === true ? "deprecated" : undefined, description].filter(Boolean).join(" · ")}
          </option>
        ))}
      </datalist>
      <TextField
        label="Action"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        placeholder={actions.length === 0 ? "" : `One of ${actions.length}`}
        value={action}
        onChange={({ target }) => set(target.value)}
        onBlur={step.endAct}
        hint={chosen === undefined ? undefined : hintOf(chosen, action)}
        {...step.messagesAt("/action")}
      />
      {chosen !== undefined && chosen.name !== action && (
        <Button className="mt-1" onClick={() => set(chosen.name)}>
          Use {chosen.name}
        </Button>
      )}
    </FieldPlace>
  );
}

function hintOf({ name, description, effect, deprecated, requiresReview }: CatalogueAction, action: string): string {
  return [
    description,
    effectWords[effect],
    requiresReview === true ? "A person approves each call." : undefined,
    deprecated === true ? "Deprecated: the service may remove it." : undefined,
    name === action ? undefined : `It is now called ${name}.`,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
}

function EventFields({ step }: { readonly step: StepContext<ToolCallNode> }): ReactElement {
  const { emit } = step.node;
  return (
    <>
      <FieldPlace pointer="/emit/name">
        <TextField
          label="Event name"
          note="Optional"
          hint="Webhooks get custom. and this name when the step has succeeded."
          autoComplete="off"
          value={emit?.name ?? ""}
          onChange={({ target }) =>
            setField({ step, path: target.value === "" ? ["emit"] : ["emit", "name"] }, target.value || undefined)
          }
          onBlur={step.endAct}
          {...step.messagesAt("/emit/name")}
        />
      </FieldPlace>
      {emit !== undefined && (
        <BoundTemplate
          step={step}
          path={["emit", "data"]}
          label="Payload"
          hint="A template as JSON, with expressions in {{ }}."
        />
      )}
    </>
  );
}
