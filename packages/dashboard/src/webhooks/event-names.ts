/* The events that a webhook receives, as its form takes them. */

/** Events of every procedure, each with what it tells. */
export const procedureEvents: readonly { readonly name: string; readonly hint: string }[] = [
  { name: "run_completed", hint: "A run completed, with its output." },
  { name: "run_failed", hint: "A run failed, with the reason." },
  { name: "human_review_requested", hint: "A run waits for people, with the data that they see." },
];

const customPrefix = "custom.";

/** The events of a webhook as the fields of its form. */
export interface EventChoice {
  /** Chosen events of {@link procedureEvents}. */
  readonly chosen: readonly string[];
  /** Names of custom events, with commas between them. */
  readonly custom: string;
}

export function choiceOf(events: readonly string[]): EventChoice {
  return {
    chosen: events.filter((event) => !event.startsWith(customPrefix)),
    custom: events
      .filter((event) => event.startsWith(customPrefix))
      .map((event) => event.slice(customPrefix.length))
      .join(", "),
  };
}

/** The names of the chosen events, each once. A custom event may be typed with its prefix. */
export function eventsOf({ chosen, custom }: EventChoice): string[] {
  const names = custom.split(",").map((name) => name.trim());
  const customs = names
    .filter((name) => name !== "")
    .map((name) => (name.startsWith(customPrefix) ? name : `${customPrefix}${name}`));
  const listed = procedureEvents.map(({ name }) => name).filter((name) => chosen.includes(name));
  return [...new Set([...listed, ...customs])];
}
