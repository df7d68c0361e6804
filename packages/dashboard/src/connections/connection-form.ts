/* The fields of an integration's connections, from the schemas that the service gives. */
import type { Integration } from "../api/models.ts";
import { formField, type FormField } from "../forms/form-field.ts";
import { isSchema, localSchema, type SchemaObject } from "../values/local-schema.ts";
import { withPlainLabels } from "./plain-label.ts";

export type ObjectField = Extract<FormField, { readonly kind: "object" }>;
export type SecretField = Integration["secrets"][number];

/** One of the ways in which requests prove who sends them. */
export interface AuthenticationMethod {
  readonly method: string;
  /** The settings of the method beside its name. */
  readonly settings: ObjectField;
  readonly secrets: readonly SecretField[];
}

export interface ConnectionForm {
  /** Whether its actions come from a document of each connection. */
  readonly hasDocument: boolean;
  readonly settings: ObjectField;
  /** Settings that few connections need. */
  readonly moreSettings: ObjectField;
  /** Empty: there is no choice. */
  readonly methods: readonly AuthenticationMethod[];
  /** The secrets of every connection. */
  readonly secrets: readonly SecretField[];
  /** Secrets that people name themselves; `undefined` for none. */
  readonly otherSecrets: Integration["otherSecrets"];
}

/** Settings with fields of their own. */
const ownFields = ["spec", "authentication"];
/** The settings that everyone is asked for, where connections have a document. */
const usual = ["baseUrl"];

/** The settings of a Custom API, for people who fill in its form. */
const ofApi: Readonly<Record<string, Partial<Pick<FormField, "label" | "hint">>>> = {
  baseUrl: { hint: "The address before each path. Left empty: the document's first server." },
  idempotencyHeader: {
    hint: "The header in which the service reads a key, so that it makes a repeated call once. Left empty: it reads none.",
  },
  idempotencyKeyTtlMs: {
    label: "Keys are kept for (ms)",
    hint: "How long the service recognizes such a key, in milliseconds. Left empty: a day.",
  },
  headers: {
    hint: 'Sent with every request, such as {"X-Tenant": "12"}. They are shown: give credentials under Authentication.',
  },
  effects: { hint: 'Where the method tells it wrong, such as {"pay": "idempotent"}: read, idempotent or once.' },
};

export function connectionForm({ kind, settings, secrets, otherSecrets, authentication }: Integration): ConnectionForm {
  const hasDocument = kind === "documented";
  const all = objectField(settings, settings);
  const members = all.members.filter(([name]) => !hasDocument || !ownFields.includes(name));
  const isUsual = (name: string): boolean => !hasDocument || usual.includes(name);
  const named = members.map(([name, field]) => [name, hasDocument ? { ...field, ...ofApi[name] } : field] as const);
  return {
    hasDocument,
    settings: { ...all, members: named.filter(([name]) => isUsual(name)) },
    moreSettings: { ...all, members: named.filter(([name]) => !isUsual(name)) },
    methods: authentication.map(({ method, secrets: ofMethod }) => ({
      method,
      settings: objectField(methodSchema(settings, method), settings),
      secrets: ofMethod,
    })),
    secrets,
    otherSecrets,
  };
}

/** The schema of a method's settings, without the method's name. */
function methodSchema(settings: unknown, method: string): SchemaObject {
  const root = localSchema(settings, settings);
  const properties = root?.["properties"];
  const authentication = isSchema(properties) ? localSchema(properties["authentication"], settings) : undefined;
  const alternatives = authentication?.["oneOf"];
  for (const one of Array.isArray(alternatives) ? (alternatives as readonly unknown[]) : []) {
    const schema = localSchema(one, settings);
    const own = schema?.["properties"];
    if (!isSchema(own) || !isSchema(own["method"]) || own["method"]["const"] !== method) continue;
    const { method: _, ...others } = own;
    return { ...schema, properties: others };
  }
  return {};
}

/** References of the schema are within `root`. */
function objectField(schema: unknown, root: unknown): ObjectField {
  const definitions = isSchema(root) ? { $defs: root["$defs"] } : {};
  const field = withPlainLabels(formField(isSchema(schema) ? { ...definitions, ...schema } : {}, "Settings", true));
  return field.kind === "object" ? field : { kind: "object", label: "Settings", isRequired: true, members: [] };
}
