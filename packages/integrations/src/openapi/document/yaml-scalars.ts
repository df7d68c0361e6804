import type { JsonValue } from "@procedo/contract";
import {
  boolCoreTag,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  SCALAR_STYLE,
  type ScalarEvent,
} from "js-yaml";

const resolvers = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
const mayMean = /^$|^[-+.\d~nNtTfF]/;
const meantByTag = /^(?:!!|!<tag:yaml\.org,2002:)(?:null|bool|int|float)>?$/;

/**
 * The value of a scalar in YAML 1.2 (core schema). Numbers that JSON lacks (.inf, .nan), dates, and scalars with a tag
 * unknown to JSON stay text.
 */
export function scalarOfYaml(text: string, event: ScalarEvent): JsonValue {
  const source = getScalarValue(text, event);
  const isTagged = event.tagStart !== -1;
  const isMeant = isTagged
    ? meantByTag.test(text.slice(event.tagStart, event.tagEnd))
    : event.style === SCALAR_STYLE.PLAIN;
  if (!isMeant || !mayMean.test(source)) return source;
  for (const { resolve, tagName } of resolvers) {
    const value = resolve(source, isTagged, tagName);
    if (value !== NOT_RESOLVED) return typeof value === "number" && !Number.isFinite(value) ? source : value;
  }
  return source;
}
