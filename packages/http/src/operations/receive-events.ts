import { defineInboundOperation, nothing } from "../operation.ts";

const empty = (description: string) => ({ description, schema: nothing });

/** The only operation for other services: events for a connection, or for a webhook trigger. */
export const receiveEvents = defineInboundOperation({
  id: "receiveEvents",
  method: "POST",
  path: "/in/v1/:address",
  tag: "Events of other services",
  summary: "Receive events of another service",
  description:
    "The address belongs to a connection or to a webhook trigger, which also defines the signature. The body has up to 1 " +
    "MiB, in the form of the service. An event is stored before its request is answered; the same event again is answered " +
    "alike, and starts nothing. Up to 100 requests per second are accepted for an address, with a burst of 500. A sender of " +
    "20 wrong signatures within a minute is slowed down to 1 per second at that address, and a sender to 20 unknown " +
    "addresses at every address that is not known to exist.",
  answers: {
    200: empty(
      "The events are stored, or no trigger takes them. A service that checks the address gets its own answer.",
    ),
    400: empty("The body is not JSON, is nested too deeply, or has a member twice."),
    401: empty("The signature is missing or wrong. Some services are answered another status, such as 498."),
    403: empty("The events are those of the service's other environment."),
    404: empty("There is no such address."),
    413: empty("The body has more than 1 MiB, or more than 1,000 events."),
    415: empty("The body is compressed."),
    422: empty("The body is not of the service's form."),
    429: empty("Too many requests. `Retry-After` tells the seconds to wait."),
    500: empty("An internal error, which the log records."),
    503: empty(
      "The events could not be stored, or the key of their signature could not be fetched. Send them again after `Retry-After`, or in a while.",
    ),
  },
  handle: ({ engine, params, headers, body }) => engine.inbound.receive({ ...params, headers, body }),
});
