import * as z from "zod";
import { distinct } from "./distinct.ts";
import type { Environment } from "./environment.ts";
import { environmentSchema } from "./environment.ts";
import { idSchema } from "./identifiers.ts";
import { roleSchema } from "./names.ts";
import { pageOf } from "./pages.ts";
import { timestampSchema } from "./timestamp.ts";

/** Prefixes of raw keys. */
export const apiKeyPrefixes = {
  sandbox: "rsk_sandbox_",
  live: "rsk_live_",
} as const satisfies Record<Environment, string>;

/**
 * Permissions beside reading: `run` starts and cancels runs, `review` decides reviews, `manage` covers all other
 * writes.
 */
export const permissions = ["run", "manage", "review"] as const;

/** Schema of {@link Permission}. */
export const permissionSchema = z.enum(permissions).meta({ id: "Permission" });

/** A permission of an API key or a person. */
export type Permission = z.infer<typeof permissionSchema>;

/** Body of `POST api-keys`. */
export const createApiKeyRequestSchema = z
  .strictObject({
    name: z.string().min(1).max(200).meta({ description: "Label for people." }),
    environment: environmentSchema.meta({ description: "Cannot be changed later." }),
    permissions: distinct(permissionSchema)
      .default(["run", "manage"])
      .meta({ description: "Permissions of the key beside reading, at most those of its maker." }),
    roles: distinct(roleSchema).max(50).default([]).meta({
      description:
        "Roles in which the key decides reviews, beside `reviewer`; none that its maker lacks. They need the permission `review`.",
    }),
  })
  .meta({ id: "CreateApiKeyRequest" });

/** A key as lists show it: never the raw key. */
export const apiKeySchema = z
  .strictObject({
    id: idSchema,
    name: z.string(),
    environment: environmentSchema,
    prefix: z.enum(Object.values(apiKeyPrefixes)).meta({ description: "Prefix of the raw key." }),
    permissions: z.array(permissionSchema),
    roles: z.array(z.string()).meta({
      description:
        "In which the key decides reviews: `reviewer` with the permission `review`, and those that it was given.",
    }),
    person: z.string().meta({
      description:
        "The person as whom the key acts. It is refused while they are not active, or have no role in its environment.",
    }),
    createdBy: z.string().meta({ description: "The person who created it." }),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema.optional().meta({
      description:
        "Time of the last request with the key, written within a minute of it. Left out before the first request, and for keys of another environment than that of the request.",
    }),
    lastUsedFrom: z.string().optional().meta({
      description: "Network address of the sender of that request, as the service saw it.",
    }),
  })
  .meta({ id: "ApiKey" });

/** Answer of `POST api-keys`: the only one that shows the raw key. */
export const createdApiKeySchema = apiKeySchema
  .extend({
    key: z
      .string()
      .regex(/^rsk_(sandbox|live)_\S+$/)
      .meta({ description: "The raw key, shown once. The service does not store it." }),
  })
  .meta({ id: "CreatedApiKey" });

/** Schema of a page of {@link ApiKey}. */
export const apiKeyPageSchema = pageOf(apiKeySchema).meta({ id: "ApiKeyPage" });

/** Body of `POST api-keys`, as a caller writes it. */
export type CreateApiKeyRequest = z.input<typeof createApiKeyRequestSchema>;
/** {@link CreateApiKeyRequest} after parsing, with its defaults. */
export type ParsedCreateApiKeyRequest = z.infer<typeof createApiKeyRequestSchema>;
/** An API key as lists show it: never with its secret. */
export type ApiKey = z.infer<typeof apiKeySchema>;
/** Answer of `POST api-keys`: the only one that shows the key. */
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;
