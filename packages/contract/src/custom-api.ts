import * as z from "zod";
import { actionEffectSchema, actionSchema } from "./connections.ts";
import { httpToken } from "./http-headers.ts";
import { actionNameSchema } from "./identifiers.ts";
import { oauthClientSettings } from "./oauth-client-settings.ts";
import { problemSchema } from "./problems.ts";
import { idempotencyKeyTtlMsSchema } from "./idempotency-key-ttl.ts";
import { webAddressSchema } from "./web-address.ts";

/** An OpenAPI 3.0 or 2.0 document in JSON or YAML: its address or its text. */
export const apiSpecSchema = z
  .union(
    [
      z.strictObject({ url: webAddressSchema.meta({ description: "Fetched when the connection is saved." }) }),
      z.strictObject({ text: z.string().min(1).meta({ description: "The document, pasted." }) }),
    ],
    "must be { url } or { text }",
  )
  .meta({ id: "ApiSpec" });

/** RFC 9110, section 5.1. */
const headerName = z.string().max(128).regex(httpToken, "must be a header name");

/** RFC 9110, section 5.5: one line of Latin-1. */
const headerValue = z
  .string()
  .min(1)
  .max(1_024)
  .regex(/^[\x21-\x7e\xa0-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/, {
    error: "must be one line of Latin-1 without white space at its ends",
  });

const maxFixedHeaders = 20;

const method = <Method extends string, Shape extends z.core.$ZodShape>(name: Method, shape: Shape) =>
  z.strictObject({ method: z.literal(name), ...shape });

/** The authentication of every request of the connection. */
export const apiAuthenticationSchema = z
  .discriminatedUnion("method", [
    method("api_key_header", { header: headerName.meta({ description: "The header that carries the key." }) }),
    method("api_key_query", {
      parameter: z.string().min(1).max(128).meta({ description: "The query parameter that carries the key." }),
    }),
    method("bearer_token", {}),
    method("basic_auth", {}),
    method("oauth2", {
      authorizationUrl: webAddressSchema.meta({ description: "The page on which a person authorizes the connection." }),
      revocationUrl: webAddressSchema
        .optional()
        .meta({ description: "Endpoint that revokes tokens (RFC 7009). Default: they are not revoked." }),
      issuer: webAddressSchema.optional().meta({
        description: "Issuer that the server's answers to browsers name (RFC 9207). Default: they name none.",
      }),
      ...oauthClientSettings,
    }),
    method("client_credentials", { ...oauthClientSettings, scopes: oauthClientSettings.scopes.optional() }),
    method("none", {}),
  ])
  .meta({ id: "ApiAuthentication" });

const forms = <Form extends string>(known: readonly [Form, ...Form[]]) =>
  z.array(z.enum(known)).min(1).max(known.length).optional();

/** By format of the document: the forms that the service accepts and returns, if they differ from the standards. */
export const formatFormsSchema = z
  .strictObject({
    "date-time": forms(["offset", "local"]).meta({
      description: "`offset`: RFC 3339, the default; `local`: without an offset, `2026-01-31T09:00:00`.",
    }),
    time: forms(["offset", "local", "short"]).meta({
      description: "`offset`: RFC 3339, the default; `local`: `10:30:00`; `short`: `10:30`.",
    }),
    byte: forms(["base64", "base64url"]).meta({
      description: "`base64`: RFC 4648, section 4, the default; `base64url`: section 5, with or without padding.",
    }),
  })
  .meta({ id: "FormatForms" });

/** `settings` of a Custom API connection. */
export const customApiSettingsSchema = z
  .strictObject({
    spec: apiSpecSchema,
    baseUrl: webAddressSchema
      .optional()
      .meta({ description: "Root against which the document's paths are resolved. Default: its first server." }),
    authentication: apiAuthenticationSchema.prefault({ method: "none" }),
    idempotencyHeader: headerName.optional().meta({
      description: "Header that carries the call's idempotency key, on every request that is not a `read`.",
    }),
    idempotencyKeyTtlMs: idempotencyKeyTtlMsSchema.optional().meta({
      description:
        "How long the service keeps an idempotency key, in milliseconds. A call of unknown outcome is repeated " +
        "automatically only while its key is younger. Default: 86400000, a day.",
    }),
    headers: z
      .record(headerName, headerValue)
      .refine((headers) => Object.keys(headers).length <= maxFixedHeaders, `must be at most ${maxFixedHeaders} headers`)
      .optional()
      .meta({
        description:
          "Headers of every request, by name; an argument of the call for the same header takes precedence. They " +
          "are shown with the connection: a credential is refused. At most 20, of 8192 characters in all.",
      }),
    formats: formatFormsSchema.optional().meta({
      description: "By format of the document: one or several forms that the service accepts and returns.",
    }),
    effects: z
      .record(actionNameSchema, actionEffectSchema)
      .optional()
      .meta({ description: "By action: its effect, if it differs from that of the method." }),
  })
  .meta({ id: "CustomApiSettings" });

/** It travels in a header or a URL: nothing that could end the line. */
const credential = z
  .string()
  .max(16_384)
  .regex(/^[^\p{Cc}]*$/u, "must not contain control characters");

const keySecret = z.strictObject({ apiKey: credential.min(1) });

/** `secrets` of a Custom API connection, by its authentication method. */
export const customApiSecretSchemas = {
  api_key_header: keySecret,
  api_key_query: keySecret,
  bearer_token: z.strictObject({ token: credential.min(1) }),
  basic_auth: z.strictObject({
    // RFC 7617: the first colon ends the user.
    user: credential.min(1).refine((user) => !user.includes(":"), "must not contain a colon"),
    password: credential,
  }),
  // A public client has no secret (RFC 6749, 2.1).
  oauth2: z.strictObject({ clientSecret: credential.min(1).optional() }),
  client_credentials: z.strictObject({ clientSecret: credential.min(1) }),
  none: z.strictObject({}),
} as const satisfies Record<ApiAuthentication["method"], z.ZodType>;

/** Body of `POST connections/preview`: nothing is saved. */
export const previewConnectionRequestSchema = z
  .strictObject({ spec: apiSpecSchema })
  .meta({ id: "PreviewConnectionRequest" });

/** Schema of {@link ConnectionPreview}. */
export const connectionPreviewSchema = z
  .strictObject({
    title: z.string().optional().meta({ description: "Of the document; omitted if the document is refused." }),
    version: z.string().optional().meta({ description: "Of the document; omitted if the document is refused." }),
    baseUrl: z.string().optional().meta({ description: "The document's first server, if it names one." }),
    actionCount: z.int().min(0).meta({ description: "Total number of actions. The answer shows only the first ones." }),
    actions: z.array(actionSchema).meta({ description: "One for each operation; none if the document is refused." }),
    problems: z.array(problemSchema).meta({ description: "Parts of the document that are invalid or omitted." }),
  })
  .meta({ id: "ConnectionPreview" });

/** An OpenAPI document: `{ url }`, which is fetched when the connection is saved, or `{ text }`. */
export type ApiSpec = z.infer<typeof apiSpecSchema>;
/**
 * How the requests of a Custom API connection authenticate. The credentials are its secrets, see {@link
 * customApiSecretSchemas}.
 */
export type ApiAuthentication = z.infer<typeof apiAuthenticationSchema>;
/** The forms of dates, times and bytes that a service uses where they are not those of the standards. */
export type FormatForms = z.infer<typeof formatFormsSchema>;
/** `settings` of a Custom API connection, as a caller writes them. */
export type CustomApiSettings = z.input<typeof customApiSettingsSchema>;
/** {@link CustomApiSettings} after parsing, with their defaults. */
export type ParsedCustomApiSettings = z.infer<typeof customApiSettingsSchema>;
/** Body of `POST connections/preview`. */
export type PreviewConnectionRequest = z.infer<typeof previewConnectionRequestSchema>;
/** Answer of `POST connections/preview`: the actions and problems of a document that was not saved. */
export type ConnectionPreview = z.infer<typeof connectionPreviewSchema>;
