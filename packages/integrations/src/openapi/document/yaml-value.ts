import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { EVENT_ID, getScalarValue, SCALAR_STYLE, type AliasEvent, type Event, type ScalarEvent } from "js-yaml";
import type { Position } from "./api-document.ts";
import { maxAliasedValues, maxDocumentDepth, tooDeep } from "./document-limits.ts";
import { createProblemList } from "./problem-list.ts";
import { doubledName, type TextRead } from "./text-read.ts";
import { scalarOfYaml } from "./yaml-scalars.ts";
import { createYamlTexts } from "./yaml-texts.ts";

/**
 * A value and its size when an alias repeats it. Aliases share the value, but each walk over the document visits every
 * repetition.
 */
interface Made {
  readonly value: JsonValue;
  readonly values: number;
  /** Levels below the value. */
  readonly depth: number;
  /** The source text of a plain number, boolean or null. */
  readonly written?: string;
}

const scalar = (value: JsonValue): Made => ({ value, values: 1, depth: 0 });
/** Placeholder for a value that could not be built. The problem is listed. */
const nothing = scalar(null);

/**
 * Builds the JSON value of one YAML document, with an index of positions, or lists everything that JSON cannot
 * represent: duplicate names, names that are not texts, undefined aliases, too many aliases.
 *
 * @param events - of the document's content, in reverse order, nested within limits. They are removed from the list as
 *   they are read: up to 200 MB of them are released for the value.
 */
export function valueOfYaml(text: string, events: Event[], positionOf: (offset: number) => Position): TextRead {
  const problems = createProblemList();
  const path: (string | number)[] = [];
  const anchors = new Map<string, Made | "open">();
  const starts: number[] = [];
  const ends: number[] = [];
  const names: (string | undefined)[] = [];
  const texts = createYamlTexts();
  let aliased = 0;
  /** Offset of the last part with a position; empty parts have none. */
  let offset = 0;

  function complain(message: string, start: number): Made {
    problems.add(() => ({ severity: "error", pointer: jsonPointer(path), message, ...positionOf(start) }));
    return nothing;
  }

  /** The next part of the current container; `undefined` at its end. */
  function next(): Event | undefined {
    const event = events.pop();
    return event?.type === EVENT_ID.POP ? undefined : event;
  }

  /** Skips the contents of a part. */
  function skip({ type }: Event): void {
    for (let open = isContainer(type) ? 1 : 0; open > 0;) {
      const within = events.pop();
      if (within === undefined || within.type === EVENT_ID.POP) open -= 1;
      else if (isContainer(within.type)) open += 1;
    }
  }

  /** Adds a value to the index and builds it. `key` is a member's name or an item's number. */
  function place(key: string | number | undefined, event: Event, start = startOf(event, offset)): Made {
    const index = starts.length;
    offset = start;
    starts.push(start);
    ends.push(index + 1);
    names.push(typeof key === "string" ? key : undefined);
    if (path.length > maxDocumentDepth) {
      skip(event);
      return complain(tooDeep, start);
    }
    if (key !== undefined) path.push(key);
    const made = make(event);
    if (key !== undefined) path.pop();
    ends[index] = starts.length;
    return made;
  }

  function make(event: Event): Made {
    if (event.type === EVENT_ID.ALIAS) return alias(event);
    if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return nothing;
    const anchor = event.anchorStart === -1 ? undefined : text.slice(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) anchors.set(anchor, "open");
    const made =
      event.type === EVENT_ID.SCALAR ? makeScalar(event) : event.type === EVENT_ID.SEQUENCE ? makeList() : makeObject();
    if (anchor !== undefined) anchors.set(anchor, made);
    return made;
  }

  function makeScalar(event: ScalarEvent): Made {
    const value = scalarOfYaml(text, event);
    if (typeof value === "string" || event.tagStart !== -1) return scalar(value);
    return { ...scalar(value), written: getScalarValue(text, event) };
  }

  function makeList(): Made {
    const list: JsonValue[] = [];
    let values = 1;
    let depth = 0;
    for (let item = next(); item !== undefined; item = next()) {
      const made = place(list.length, item);
      texts.note(list, list.length, made.written);
      list.push(made.value);
      values += made.values;
      depth = Math.max(depth, made.depth + 1);
    }
    return { value: list, values, depth };
  }

  function makeObject(): Made {
    const object: Record<string, JsonValue> = {};
    const placed = new Map<string, number>();
    const merged: JsonValue[] = [];
    const before = texts.noted + aliased;
    let values = 1;
    let depth = 0;
    for (let key = next(); key !== undefined; key = next()) {
      const start = startOf(key, offset);
      const name = nameOf(key, start);
      const value = next();
      if (value === undefined) break;
      if (name === undefined) {
        skip(value);
        continue;
      }
      const made = place(name, value, start);
      values += made.values;
      depth = Math.max(depth, made.depth + 1);
      const first = placed.get(name);
      if (name === "<<" && key.type === EVENT_ID.SCALAR && key.style === SCALAR_STYLE.PLAIN) {
        const sources = Array.isArray(made.value) ? (made.value as readonly JsonValue[]) : [made.value];
        if (!sources.every(isObject)) complain("A merge key << takes an object or a list of objects.", start);
        merged.push(...sources);
      } else if (first !== undefined) {
        problems.add(() => doubledName([...path, name], positionOf(first), positionOf(start)));
      } else {
        placed.set(name, start);
        texts.note(object, name, made.written);
        setMember(object, name, made.value);
      }
    }
    // The object's own members take precedence, then earlier sources.
    for (const source of merged.filter(isObject)) {
      for (const [name, value] of Object.entries(source)) {
        if (Object.hasOwn(object, name)) continue;
        texts.copy(source, object, name);
        setMember(object, name, value);
      }
    }
    if (texts.noted + aliased > before) texts.restore(object, path);
    return { value: object, values, depth };
  }

  function nameOf(key: Event, start: number): string | undefined {
    if (key.type === EVENT_ID.SCALAR) {
      const name = getScalarValue(text, key);
      if (key.anchorStart !== -1) anchors.set(text.slice(key.anchorStart, key.anchorEnd), scalar(name));
      return name;
    }
    skip(key);
    complain("A name must be text, not a list, an object or an alias.", start);
    return undefined;
  }

  function alias({ anchorStart, anchorEnd }: AliasEvent): Made {
    const anchor = text.slice(anchorStart, anchorEnd);
    const start = anchorStart - 1;
    const made = anchors.get(anchor);
    if (made === undefined) return complain(`The alias *${shown(anchor)} has no anchor before it; add it.`, start);
    if (made === "open") return complain(`The alias *${shown(anchor)} is inside its own anchor; remove it.`, start);
    const before = aliased;
    aliased += made.values;
    if (before > maxAliasedValues) return nothing;
    if (aliased > maxAliasedValues) {
      return complain(`Aliases add more than ${maxAliasedValues} values to the document; use $ref instead.`, start);
    }
    return path.length + made.depth > maxDocumentDepth ? complain(tooDeep, start) : made;
  }

  const whole = next();
  const { value } = whole === undefined ? nothing : place(undefined, whole);
  texts.finish(value);
  const listed = problems.listed();
  if (listed.length > 0) return { ok: false, problems: listed };
  return {
    ok: true,
    value,
    positions: () => ({
      startOf: (index) => starts[index] ?? 0,
      endOf: (index) => ends[index] ?? index + 1,
      nameOf: (index) => names[index],
    }),
  };
}

const isContainer = (type: Event["type"]): boolean => type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING;

/** The offset that a reader expects for a part; `otherwise` for an empty part. */
export function startOf(event: Event, otherwise: number): number {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return event.valueStart === -1 ? otherwise : event.valueStart - (isQuoted(event) ? 1 : 0);
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start;
    default:
      return otherwise;
  }
}

const isQuoted = ({ style }: ScalarEvent): boolean =>
  style === SCALAR_STYLE.DOUBLE_QUOTED || style === SCALAR_STYLE.SINGLE_QUOTED;

/** A plain assignment to `__proto__` would change the object's prototype. */
function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const shown = (anchor: string) => (anchor.length > 40 ? `${anchor.slice(0, 40)}…` : anchor);
