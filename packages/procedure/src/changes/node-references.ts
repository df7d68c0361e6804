import type { JsonObject, JsonValue } from "@procedo/contract";
import { scanTemplate } from "../expressions/template-scanner.ts";

/** Returns the id that replaces a reference to a node. */
export type MapId = (id: string) => string;

/** `nodes.pay`, `nodes.?pay`, `nodes["pay"]` and `nodes[?"pay"]`, but not `input.nodes.pay`. */
const reference = /(?<![\w.$])(nodes\s*(?:\.\s*(?:\?\s*)?|\[\s*(?:\?\s*)?(["'])))([A-Za-z_]\w*)(?!\w)/g;

/**
 * Replaces the ids of nodes: in the nodes themselves, in edges, and in every expression, template and review that refers
 * to a node. A document of another shape is changed as far as it has these parts. Pure.
 *
 * @example
 * ```ts
 * import type { JsonObject } from "@procedo/contract";
 * import { mapNodeIds } from "@procedo/procedure";
 *
 * function renameNode(document: JsonObject, from: string, to: string): JsonObject {
 *   return mapNodeIds(document, (id) => (id === from ? to : id));
 * }
 * ```
 */
export function mapNodeIds(document: JsonObject, mapId: MapId): JsonObject {
  return members(document, {
    nodes: (nodes) => items(nodes, (node) => mapIdsOfNode(node, mapId)),
    edges: (edges) =>
      items(edges, (edge) => members(edge, { from: (id) => text(id, mapId), to: (id) => text(id, mapId) })),
  });
}

/** The node with every id replaced, its own included. */
export function mapIdsOfNode(node: JsonValue, mapId: MapId): JsonValue {
  const ids = (value: JsonValue): JsonValue => items(value, (id) => text(id, mapId));
  const id = (value: JsonValue): JsonValue => text(value, mapId);
  return members(
    mapExpressionsOfNode(node, (source) => mapExpression(source, mapId)),
    { id, covers: id, excludeApproversOf: ids, review: (review) => members(review, { excludeApproversOf: ids }) },
  );
}

/** The node with the source of every expression mapped, in templates too. */
export function mapExpressionsOfNode(node: JsonValue, map: (source: string) => string): JsonValue {
  const expression = (value: JsonValue): JsonValue => text(value, map);
  const template = (value: JsonValue): JsonValue => mapTemplate(value, map);
  const expressions = (value: JsonValue): JsonValue =>
    items(value, (item) => members(item, { check: expression, sum: expression, when: expression }));
  const isReview = isObject(node) && node["kind"] === "human_review";
  return members(node, {
    ...(isReview && { title: template }),
    output: template,
    arguments: template,
    data: template,
    emit: (emit) => members(emit, { data: template }),
    guards: expressions,
    sumLimits: expressions,
    branches: expressions,
  });
}

export function mapTemplate(value: JsonValue, map: (source: string) => string): JsonValue {
  if (typeof value === "string") return mapTemplateText(value, map);
  if (isList(value)) return value.map((item) => mapTemplate(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTemplate(member, map)]));
}

function mapTemplateText(template: string, map: (source: string) => string): string {
  const scanned = template.includes("{{") ? scanTemplate(template) : { problem: "no expression" };
  if (!("parts" in scanned)) return template;
  return scanned.parts.map((part) => (part.kind === "text" ? part.text : `{{${map(part.source)}}}`)).join("");
}

function mapExpression(source: string, mapId: MapId): string {
  return source.replace(reference, (_whole, lead: string, _quote, id: string) => lead + mapId(id));
}

type Mappers = Readonly<Record<string, (member: JsonValue) => JsonValue>>;

/** The object with the named members mapped; any other value as it is. */
export function members(value: JsonObject, mappers: Mappers): JsonObject;
export function members(value: JsonValue, mappers: Mappers): JsonValue;
export function members(value: JsonValue, mappers: Mappers): JsonValue {
  if (!isObject(value)) return value;
  const mapped = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const mapper = Object.hasOwn(mappers, name) ? mappers[name] : undefined;
    return [name, mapper === undefined ? member : mapper(member)];
  });
  return Object.fromEntries(mapped);
}

export function items(value: JsonValue, map: (item: JsonValue) => JsonValue): JsonValue {
  return isList(value) ? value.map(map) : value;
}

function text(value: JsonValue, map: (value: string) => string): JsonValue {
  return typeof value === "string" ? map(value) : value;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
