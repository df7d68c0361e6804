import { scopeQuerySchema, type Change } from "@procedo/contract";
import type { LiveEvent } from "@procedo/engine";
import * as z from "zod";
import { defineOperation, eventStream, reply } from "../operation.ts";

const place = z.string().regex(/^[\w-]{1,100}$/, "must be the id of an event");

export const followChanges = defineOperation({
  id: "followChanges",
  // An unattended page reconnects each hour.
  isUse: false,
  method: "GET",
  path: "/api/v1/events",
  tag: "Service",
  summary: "Follow changes",
  description:
    "Server-sent events for pages that show the present state. Each event `changed` names something to read again: " +
    '`{"kind":"run","id":"run_…"}`. The kinds are `run`, `review`, `delivery`, `connection`, `procedure`, `webhook`, `key` ' +
    "and `person`; without an `id`, anything of the kind may have changed, as after more than 50 changes of a kind within " +
    "250 ms. The kind `resync` means that everything that is shown is to be read again: after a gap, and at most once in " +
    "2 s while another node writes, of whose work only parked and ended runs, decisions that continue them and changed " +
    "settings are named at once. The stream of one environment names nothing of the other one. It ends with the key or " +
    "session, which it does not prolong, when the service is stopped, and after an hour. To go on without a gap, send the last `id` as " +
    "`Last-Event-ID`, as browsers do.",
  query: scopeQuerySchema.extend({
    after: place.optional().meta({ description: "The `id` after which to go on. `Last-Event-ID` precedes it." }),
  }),
  headers: { "Last-Event-ID": place.optional().meta({ description: "The `id` of the last event that was read." }) },
  answers: { 200: { description: "The events.", schema: eventStream, media: "text/event-stream" } },
  errors: [],
  handle: async ({ engine, environment, query, header, stream }) => {
    const after = header("last-event-id") ?? query.after;
    const events = stream((write) => {
      const from = { environment, ...(after !== undefined && { after }) };
      const reader = engine.live.follow(from, (event) => write(textOf(event)));
      return {
        first: `retry: 2000\n\n${reader.missed.map(textOf).join("")}${idOnly(reader.latest())}`,
        heartbeat: () => `:\n${idOnly(reader.latest())}`,
        stop: () => reader.stop(),
      };
    });
    return reply(200, events);
  },
});

function textOf({ eventId, hint }: LiveEvent): string {
  const change: Change = hint === "resync" ? { kind: hint } : hint;
  return `id: ${eventId}\nevent: changed\ndata: ${JSON.stringify(change)}\n\n`;
}

/** Without data, no event is dispatched. The reader only remembers the place, from which it goes on. */
function idOnly(eventId: string): string {
  return `id: ${eventId}\n\n`;
}
