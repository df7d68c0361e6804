import { expect, test } from "vitest";
import { createEventReader, type StreamedEvent } from "./event-stream.ts";

function read(...pieces: readonly string[]): readonly StreamedEvent[] {
  const events: StreamedEvent[] = [];
  const take = createEventReader((event) => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
}

const stream = 'retry: 2000\n\nid: a-1\nevent: changed\ndata: {"kind":"run"}\n\n:\nid: a-2\n\n:\n\n';
const events = [{ id: "a-1", event: "changed", data: '{"kind":"run"}' }, { id: "a-2" }];

test("events are read from a stream, and heartbeats are none", () => {
  expect(read(stream)).toEqual(events);
});

test("a stream that is cut at any place has the same events", () => {
  expect(read(...stream)).toEqual(events);
  expect(read(...stream.replaceAll("\n", "\r\n"))).toEqual(events);
});

test("an event whose end has not come yet is not reported", () => {
  expect(read("id: a-1\nevent: changed\ndata: {}\n")).toEqual([]);
});

test("several lines of data are one text", () => {
  expect(read("data: a\ndata: b\n\n")).toEqual([{ data: "a\nb" }]);
});
