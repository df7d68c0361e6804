import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { idSchema } from "./identifiers.ts";
import { newPasswordSchema, personPermissions, personSchema } from "./people.ts";
import { timestampSchema } from "./timestamp.ts";

const passwordSchema = z.string().min(1).max(512);

/** Body of `POST session`. */
export const signInRequestSchema = z
  .strictObject({
    email: z.string().min(1).max(320),
    password: passwordSchema,
    answerWith: z.enum(["cookie", "token"]).default("cookie").meta({
      description: "Where the answer carries the session: a cookie for browsers, the field `token` for programs.",
    }),
  })
  .meta({ id: "SignInRequest" });

/** Ways to sign in, and whether the service has an owner. Answer of `GET sign-in`. */
export const signInMethodsSchema = z
  .strictObject({
    setUp: z.boolean().meta({
      description:
        "Whether the service has an owner. If not, `procedo start` prints a link by which the first owner begins.",
    }),
    methods: z.array(
      z.union([
        z.strictObject({ kind: z.literal("password") }),
        z.strictObject({ kind: z.literal("oidc"), id: z.string(), name: z.string() }),
      ]),
    ),
  })
  .meta({ id: "SignInMethods" });

/**
 * The reasons for which a sign-in by an identity provider fails. The browser is sent to
 * `/dashboard/sign-in?error=REASON`:
 *
 * - `expired`: it took longer than 10 minutes, or began in another browser
 * - `cancelled`: the person declined at the provider
 * - `refused`: the provider's answer was not accepted
 * - `email_unverified`: the provider has not verified the account's e-mail address
 * - `not_invited`: no invitation of the address is open, or the person is not active
 * - `unavailable`: the provider or the service's storage cannot be reached
 */
export const signInErrors = [
  "expired",
  "cancelled",
  "refused",
  "email_unverified",
  "not_invited",
  "unavailable",
] as const;

/** A reason of {@link signInErrors}. */
export type SignInError = (typeof signInErrors)[number];

const present = z.strictObject({
  id: idSchema,
  expiresAt: timestampSchema.meta({ description: "When the person has to sign in again, even while active." }),
});

const serviceSchema = z.strictObject({
  version: z.string(),
  models: z.array(z.string()).meta({ description: "Purposes for which the service has a language model." }),
  timeZone: z.string().meta({ description: "IANA time zone of the service's days." }),
});

const permissionsSchema = z.array(z.enum(personPermissions));

const permissionsOfSessionSchema = z
  .strictObject({ sandbox: permissionsSchema, live: permissionsSchema })
  .meta({ description: "Permissions of the person in each environment beside reading, which needs a role in it." });

/** Answer of `GET session` where an application that embeds the service signs people in. */
export const principalAnswerSchema = z
  .strictObject({
    principal: z.strictObject({
      person: z.string().meta({ description: "Name of the person in records." }),
      roles: z.array(z.string()).meta({ description: "Roles in which the person decides reviews." }),
      permissions: permissionsSchema.meta({ description: "Permissions in each environment that the person reaches." }),
      environment: environmentSchema.optional().meta({ description: "The only environment. Left out for both." }),
      permissionsElsewhere: permissionsSchema
        .optional()
        .meta({ description: "Permissions in the other environment, for changes that affect both." }),
    }),
    service: serviceSchema,
  })
  .meta({ id: "PrincipalAnswer" });

/** Answer of `GET session` and, with `token` when it was asked for, of `POST session`. */
export const sessionAnswerSchema = z
  .strictObject({
    person: personSchema,
    permissions: permissionsOfSessionSchema,
    session: present,
    service: serviceSchema,
    token: z
      .string()
      .regex(/^ses_\S+$/)
      .optional()
      .meta({ description: "The session's token, for `Authorization: Bearer`. Shown once, when it was asked for." }),
  })
  .meta({ id: "SessionAnswer" });

/** Schema of {@link Session}. */
export const sessionSchema = z
  .strictObject({
    id: idSchema,
    isCurrent: z.boolean().meta({ description: "Whether it is the session of this request." }),
    createdAt: timestampSchema,
    lastSeenAt: timestampSchema.meta({ description: "Last use, to the minute." }),
    expiresAt: timestampSchema,
    userAgent: z.string().optional(),
    address: z.string().optional(),
  })
  .meta({ id: "Session" });

/** Answer of `GET sessions`: the person's own sessions, newest first. */
export const sessionListSchema = z.strictObject({ data: z.array(sessionSchema) }).meta({ id: "SessionList" });

/** Body of `PUT session/password`. */
export const changePasswordRequestSchema = z
  .strictObject({ current: passwordSchema, next: newPasswordSchema })
  .meta({ id: "ChangePasswordRequest" });

/** Body of `POST session`, as a caller writes it. */
export type SignInRequest = z.input<typeof signInRequestSchema>;
/** {@link SignInRequest} after parsing, with its defaults. */
export type ParsedSignInRequest = z.infer<typeof signInRequestSchema>;
/** Answer of `GET sign-in`. */
export type SignInMethods = z.infer<typeof signInMethodsSchema>;
/** Answer of `GET session` where an application that embeds the service signs people in. */
export type PrincipalAnswer = z.infer<typeof principalAnswerSchema>;
/** Answer of `GET session` and `POST session`. */
export type SessionAnswer = z.infer<typeof sessionAnswerSchema>;
/** A session of a person, as lists show it: never with its token. */
export type Session = z.infer<typeof sessionSchema>;
/** Answer of `GET sessions`. */
export type SessionList = z.infer<typeof sessionListSchema>;
/** Body of `PUT session/password`. */
export type ChangePasswordRequest = z.infer<typeof changePasswordRequestSchema>;
