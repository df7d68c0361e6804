/*
 * Texts of fields as a person types them, beside the document.
 *
 *   typed-texts.ts          the texts of an editor, by the places of their fields
 *   use-typed-text.ts       one field: its text, why it does not count yet, and its value in the document
 *   typing-context.ts       the texts as the fields reach them
 *   unfinished-problems.ts  unfinished texts as problems of the document
 *   changed-beneath.tsx     the choice about a text whose value was changed elsewhere
 *
 * An unfinished text is work that the document does not have: it outlives its field, counts as unsaved, and is in the copy
 * on this device.
 */
import type { JsonObject, JsonValue, ProcedureDocument } from "@procedo/contract";
import { jsonPointer, pointerTokens } from "@procedo/contract/syntax";

/** A text that is being typed. */
export interface TypedText {
  readonly text: string;
  /** The value of the field for which the text stands; `undefined` for a field without a value. */
  readonly over?: JsonValue | undefined;
  /** Whether the text is no possible value of the field. */
  readonly isUnfinished: boolean;
}

/** The texts of an editor, by their places. */
export type TypedTexts = Readonly<Record<string, TypedText>>;

/** The place of the whole document, as JSON. */
export const documentPlace = "";

/** The place of a field of a step. It names steps and branches, not their positions, so that a text moves with them. */
export function stepPlace(nodeId: string, path: readonly (string | number)[] = []): string {
  return jsonPointer(["nodes", nodeId, ...path]);
}

export function withText(texts: TypedTexts, place: string, typed: TypedText | undefined): TypedTexts {
  if (typed !== undefined) return { ...texts, [place]: typed };
  return Object.hasOwn(texts, place) ? mapPlaces(texts, (one) => (one === place ? undefined : one)) : texts;
}

/** The texts without those at a place and below it. */
export function withoutTextsAt(texts: TypedTexts, place: string): TypedTexts {
  return mapPlaces(texts, (one) => (isAtOrBelow(one, place) ? undefined : one));
}

/** The texts after a change of the document, an undo or a redo, in which steps may have got other ids. */
export function withRenamedSteps(texts: TypedTexts, before: JsonObject, after: JsonObject): TypedTexts {
  const [former, present] = [idsOf(before), idsOf(after)];
  return former.reduce((moved, id, index) => {
    const now = present[index];
    // A step that is renamed keeps its position.
    if (id === undefined || now === undefined || present.includes(id) || former.includes(now)) return moved;
    const [from, to] = [stepPlace(id), stepPlace(now)];
    return mapPlaces(moved, (one) => (isAtOrBelow(one, from) ? to + one.slice(from.length) : one));
  }, texts);
}

/** The ids of the steps; `undefined` for what is no step. */
function idsOf({ nodes }: JsonObject): readonly (string | undefined)[] {
  if (!Array.isArray(nodes)) return [];
  return (nodes as readonly JsonValue[]).map((node) => {
    const id = typeof node === "object" && node !== null && "id" in node ? node.id : undefined;
    return typeof id === "string" ? id : undefined;
  });
}

/** The unfinished texts. Those of a step that was deleted count again when it is back. */
export function unfinishedTexts(texts: TypedTexts, document: ProcedureDocument | undefined): TypedTexts {
  const hasStep = (place: string): boolean => {
    const [first, nodeId] = pointerTokens(place);
    return first !== "nodes" || document === undefined || document.nodes.some(({ id }) => id === nodeId);
  };
  return mapPlaces(texts, (place) => (texts[place]?.isUnfinished === true && hasStep(place) ? place : undefined));
}

function isAtOrBelow(place: string, other: string): boolean {
  return place === other || place.startsWith(`${other}/`);
}

/** The texts at other places; without those whose place is `undefined`. */
function mapPlaces(texts: TypedTexts, map: (place: string) => string | undefined): TypedTexts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([place, typed]): readonly [string, TypedText][] => {
      const mapped = map(place);
      return mapped === undefined ? [] : [[mapped, typed]];
    }),
  );
}
