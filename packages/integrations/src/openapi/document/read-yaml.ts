import { EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import type { ImportProblem } from "../imported-api.ts";
import type { Position } from "./api-document.ts";
import { maxDocumentDepth, maxYamlParts, tooDeep, tooManyYamlParts } from "./document-limits.ts";
import type { TextRead } from "./text-read.ts";
import { yamlFaults } from "./yaml-faults.ts";
import { startOf, valueOfYaml } from "./yaml-value.ts";
import { yamlPartsAtMost } from "./yaml-weight.ts";

/**
 * Reads one YAML 1.2 document into JSON values. Names must be unique texts, dates stay texts, and tags unknown to JSON
 * are ignored. Aliases and merge keys are resolved within limits. Numbers keep their notation as texts where the
 * document can only mean texts. Lines must end with LF.
 *
 * `js-yaml` emits the events of the text, `yaml-value.ts` builds the value, `yaml-texts.ts` restores texts, and
 * `yaml-faults.ts` describes faults.
 */
export function readYaml(text: string, positionOf: (offset: number) => Position): TextRead {
  if (yamlPartsAtMost(text) > maxYamlParts) return refused(tooManyYamlParts);
  let events: Event[];
  try {
    // Names, and values in the deepest container, are events with a depth of their own.
    events = parseEvents(text, { maxDepth: maxDocumentDepth + 2 });
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const offset = cause.mark?.position ?? 0;
    if (cause.reason.startsWith("nesting exceeded")) return refused(tooDeep, positionOf(offset));
    return { ok: false, problems: yamlFaults(text, { reason: cause.reason, offset }, positionOf) };
  }
  const [first, second] = contentsOf(events);
  if (second !== undefined) {
    return refused("The text holds several YAML documents, divided by ---; give one.", positionOf(second.offset));
  }
  // Reversed in place: a copy would keep the events that the reader consumes.
  events.splice(0, first?.index ?? events.length);
  return valueOfYaml(text, events.reverse(), positionOf);
}

const refused = (message: string, position?: Position): TextRead => {
  const problem: ImportProblem = { severity: "error", pointer: "", message, ...position };
  return { ok: false, problems: [problem] };
};

interface Content {
  /** Offset of its first event. */
  readonly index: number;
  readonly offset: number;
}

/** The starts of at most two documents of the stream that are not empty. */
function contentsOf(events: readonly Event[]): readonly Content[] {
  const found: Content[] = [];
  for (let index = 1; index < events.length && found.length < 2; index += 1) {
    const event = events[index];
    if (events[index - 1]?.type !== EVENT_ID.DOCUMENT || event === undefined) continue;
    const offset = startOf(event, -1);
    if (offset !== -1) found.push({ index, offset });
  }
  return found;
}
