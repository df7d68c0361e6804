import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Trigger } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Section } from "../ui/section.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { MappingTest, type TriggerTest } from "./mapping-test.tsx";
import { jsonText, sampleEvent } from "./sample-event.ts";
import { useAbilities } from "./use-abilities.ts";
import { useEventTypes } from "./use-event-types.ts";
import { newestEvent } from "./newest-event.ts";

/** The condition and the input of a trigger, and a test of both with an event. */
export function MappingSection({ trigger }: { readonly trigger: Trigger }): ReactElement {
  const { when, input, source } = trigger;
  const { mayManage } = useAbilities();
  return (
    <Section title="Condition and input">
      {when === null ? (
        <p className="text-text-2">Each occurrence starts a run.</p>
      ) : (
        <div>
          <p>A run starts only if this is true:</p>
          <code className="mt-1 block overflow-x-auto rounded-panel border border-hairline bg-sunken px-3 py-2 font-mono text-code wrap-anywhere whitespace-pre-wrap">
            {when}
          </code>
        </div>
      )}
      {Object.keys(input).length === 0 ? (
        <p className="text-text-2">Its runs start without input.</p>
      ) : (
        <JsonView what="Input template" value={input as JsonValue} />
      )}
      {mayManage && <Test key={source.kind} trigger={trigger} />}
    </Section>
  );
}

function Test({ trigger: { id: triggerId, source } }: { readonly trigger: Trigger }): ReactElement {
  const environment = useEnvironment();
  const typesOf = useEventTypes(source.kind === "integration");
  const newest = useQuery({ ...newestEvent(environment, triggerId), enabled: source.kind !== "schedule" }).data;
  const [typed, setTyped] = useState<string>();
  const earlier = newest === undefined || newest === null ? undefined : jsonText(newest);
  const event = typed ?? earlier ?? jsonText(sampleEvent(source, typesOf));
  const test = (text: string | undefined): Promise<TriggerTest> =>
    answerOf(
      api.POST("/api/v1/triggers/{triggerId}/test", {
        params: { path: { triggerId }, query: { environment } },
        body: { event: {} },
        bodySerializer: () => `{"event":${text ?? "{}"}}`,
      }),
    );
  return (
    <MappingTest
      event={source.kind === "schedule" ? undefined : event}
      onEvent={setTyped}
      earlier={earlier}
      test={test}
    />
  );
}
