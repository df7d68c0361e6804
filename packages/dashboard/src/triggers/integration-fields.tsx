import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { CheckboxField, SelectField } from "../ui/field.tsx";
import type { DraftFieldsProps } from "./draft-fields.ts";
import { connectionsByName, integrationEvents } from "./use-triggers.ts";

/** A connection whose service sends events, and those events that start runs. */
export function IntegrationFields({ draft, onChange, problemOf }: DraftFieldsProps): ReactElement {
  const environment = useEnvironment();
  const connections = useQuery(connectionsByName(environment)).data;
  const events = useQuery(integrationEvents(environment)).data;
  const { connection, events: chosen } = draft.integration;
  const typesOf = (name: string) => events?.get(connections?.get(name)?.integration ?? "") ?? [];
  const names = [...(connections?.keys() ?? [])].filter((name) => typesOf(name).length > 0);
  const types = typesOf(connection);
  // An event that the service does not send any more can be taken out.
  const unknown = chosen.filter((type) => !types.some((one) => one.type === type));
  const set = (type: string, isOn: boolean): void => {
    const others = chosen.filter((one) => one !== type);
    onChange({ integration: { connection, events: isOn ? [...others, type] : others } });
  };
  const problem = problemOf("/source/events");
  if (connections !== undefined && events !== undefined && names.length === 0 && connection === "") {
    return <p className="text-text-2">No connection of this environment has a service that sends events.</p>;
  }
  return (
    <>
      <SelectField
        label="Connection"
        className="max-w-sm"
        required
        value={connection}
        options={[
          ...(names.includes(connection)
            ? []
            : [{ value: connection, label: connection === "" ? "Choose …" : connection }]),
          ...names.map((value) => ({ value, label: value })),
        ]}
        onChange={({ target }) => onChange({ integration: { connection: target.value, events: [] } })}
        problem={problemOf("/source/connection")}
      />
      {(types.length > 0 || unknown.length > 0) && (
        <fieldset
          className="flex max-h-80 flex-col gap-1 overflow-y-auto"
          aria-describedby={problem === undefined ? undefined : "events-problem"}
        >
          <legend className="mb-1 font-medium">Events</legend>
          {types.map(({ type, title }) => (
            <CheckboxField
              key={type}
              label={title}
              hint={type}
              checked={chosen.includes(type)}
              onChange={({ target }) => set(type, target.checked)}
            />
          ))}
          {unknown.map((type) => (
            <CheckboxField
              key={type}
              label={type}
              hint="The service does not send this event any more."
              checked
              onChange={() => set(type, false)}
            />
          ))}
        </fieldset>
      )}
      {problem !== undefined && (
        <p id="events-problem" className="text-small font-medium text-failed">
          {chosen.length === 0 ? "Choose at least one event." : problem}
        </p>
      )}
    </>
  );
}
