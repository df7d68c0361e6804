import { EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import type { ImportProblem } from "../imported-api.ts";
import type { Position } from "./api-document.ts";
import { maxDocumentDepth, maxYamlParts, tooDeep, tooManyYamlParts } from "./document-limits.ts";
import type { TextRead } from "./text-read.ts";
import { yamlFaults } from "./yaml-faults.ts";
import { startOf, valueOfYaml } from "./yaml-value.ts";
import { yamlPartsAtMost } from "./yaml-weight.ts";

/**
 * Reads one YAML 1.2 document as JSON would hold it. Names are unique and texts, dates stay texts, tags that are not of JSON
 * are read as if they were not there, aliases and merge keys are followed within bounds. Numbers are texts, as they are written,
 * where the document can only mean texts. Lines end with LF.
 *
 * `js-yaml` tells the parts of the text, `yaml-value.ts` makes the value of them, `yaml-texts.ts` restores texts, and
 * `yaml-faults.ts` says what is wrong.
 */
export function readYaml(text: string, positionOf: (offset: number) => Position): TextRead {
  if (yamlPartsAtMost(text) > maxYamlParts) return refused(tooManyYamlParts);
  let events: Event[];
  try {
    // Names and the values in the deepest container are parts with a depth of their own.
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
  // In place: a copy would keep what the reader takes away.
  events.splice(0, first?.index ?? events.length);
  return valueOfYaml(text, events.reverse(), positionOf);
}

const refused = (message: string, position?: Position): TextRead => {
  const problem: ImportProblem = { severity: "error", pointer: "", message, ...position };
  return { ok: false, problems: [problem] };
};

interface Content {
  /** Of its first event. */
  readonly index: number;
  readonly offset: number;
}

/** Where the documents of a stream begin that are not empty, at most two of them. */
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
