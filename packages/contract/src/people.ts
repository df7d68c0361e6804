import * as z from "zod";
import { apiKeySchema, permissions, type Permission } from "./api-keys.ts";
import { distinct } from "./distinct.ts";
import { idSchema } from "./identifiers.ts";
import { nameProblem, normalName, roleSchema } from "./names.ts";
import { pageOf } from "./pages.ts";
import { timestampSchema } from "./timestamp.ts";

/**
 * Roles that give access to an environment. `viewer` reads, `reviewer` also decides reviews, `builder` also runs and
 * manages, `owner` does the same and administers people. A person may have several.
 */
export const accessRoles = ["viewer", "reviewer", "builder", "owner"] as const;

/** Schema of {@link AccessRole}. */
export const accessRoleSchema = z.enum(accessRoles).meta({ id: "AccessRole" });

/** A role that gives access to an environment. */
export type AccessRole = z.infer<typeof accessRoleSchema>;

/** Permissions of a person: those of API keys, and `administer`, which no key has. */
export const personPermissions = [...permissions, "administer"] as const;

/** A permission of a person. */
export type PersonPermission = Permission | "administer";

/** The longest e-mail address in characters (RFC 5321, 4.5.3.1.3). */
export const maxEmailLength = 254;

/** One `@` between two parts that contain no space and no character that separates addresses. */
const emailForm = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;

/** Why a text is no e-mail address, as the end of a sentence; `undefined` when it is one. Its normal form is checked. */
export function emailProblem(email: string): string | undefined {
  const problem = nameProblem(email);
  if (problem !== undefined) return problem;
  const normal = normalName(email);
  if (normal.length > maxEmailLength) return `has more than ${maxEmailLength} characters`;
  return emailForm.test(normal) ? undefined : "is no e-mail address";
}

/** The message of a problem in a sentence whose subject is the field. */
function refined(problemOf: (text: string) => string | undefined): z.core.$ZodCustomParams {
  return { error: ({ input }) => (typeof input === "string" ? problemOf(input) : undefined) };
}

/** An e-mail address. Spellings that differ in case, composition or outer spaces are the same address. */
export const emailSchema = z
  .string()
  .max(320)
  .refine((email) => emailProblem(email) === undefined, refined(emailProblem))
  .meta({ description: "E-mail address. Upper and lower case are the same." });

/** A person's name, for other people. */
export const personNameSchema = z
  .string()
  .max(200)
  .refine((name) => nameProblem(name) === undefined, refined(nameProblem))
  .meta({ description: "The person's name, for other people." });

const isNoAccessRole = (group: string): boolean => !(accessRoles as readonly string[]).includes(normalName(group));

const groupsSchema = distinct(
  roleSchema.refine(isNoAccessRole, "is the name of an access role; give the role by `access`"),
)
  .max(50)
  .meta({ description: "Labels of the person, which reviews may name as roles, such as `treasury`." });

const givesNoRole = "gives no role. Give at least one in sandbox or live";

const rolesSchema = distinct(accessRoleSchema);

/** Roles of a person in each environment. */
export const accessSchema = z
  .strictObject({ sandbox: z.array(accessRoleSchema), live: z.array(accessRoleSchema) })
  .meta({ id: "Access", description: "Roles in each environment. A person without a role cannot access it." });

/** Roles to give in one environment or both. */
export const accessRequestSchema = z
  .strictObject({ sandbox: rolesSchema.optional(), live: rolesSchema.optional() })
  .meta({
    id: "AccessRequest",
    description: "Roles in each environment. An environment that is left out: none for an invitation, else unchanged.",
  });

/** Schema of {@link Person}. */
export const personSchema = z
  .strictObject({
    id: idSchema,
    email: z.string().meta({ description: "E-mail address, in lower case. Records name the person by it." }),
    name: z.string(),
    access: accessSchema,
    groups: z.array(z.string()),
    isActive: z.boolean().meta({ description: "Whether the person may sign in, and their API keys are accepted." }),
    lastSeenAt: timestampSchema
      .optional()
      .meta({ description: "Last use of a session of the person, to the minute. Left out before the first sign-in." }),
    createdAt: timestampSchema.meta({ description: "When the person accepted their first invitation." }),
  })
  .meta({ id: "Person" });

/** Schema of a page of {@link Person}. */
export const personPageSchema = pageOf(personSchema).meta({ id: "PersonPage" });

/** Body of `PATCH people/:id`: replaces the fields that it names. */
export const updatePersonRequestSchema = z
  .strictObject({
    name: personNameSchema.optional(),
    access: accessRequestSchema.optional(),
    groups: groupsSchema.optional(),
    isActive: z.literal(true).optional().meta({ description: "Activates a deactivated person again." }),
  })
  .meta({ id: "UpdatePersonRequest" });

/** Query of `DELETE people/:id`. */
export const deactivatePersonQuerySchema = z.strictObject({
  keys: z.literal("delete").optional().meta({ description: "Deletes the API keys that act as the person." }),
});

/** Answer of `DELETE people/:id`. */
export const deactivatedPersonSchema = z
  .strictObject({
    keys: z
      .array(apiKeySchema)
      .meta({ description: "API keys that act as the person. They are refused while the person is not active." }),
  })
  .meta({ id: "DeactivatedPerson" });

/** Body of `POST people/invitations`. */
export const createInvitationRequestSchema = z
  .strictObject({
    email: emailSchema,
    access: accessRequestSchema
      .refine(({ sandbox = [], live = [] }) => sandbox.length + live.length > 0, givesNoRole)
      .meta({ description: "Roles in each environment, at least one. None in an environment that is left out." }),
    groups: groupsSchema.default([]),
  })
  .meta({ id: "CreateInvitationRequest" });

/** Schema of {@link Invitation}. */
export const invitationSchema = z
  .strictObject({
    id: idSchema,
    email: z.string(),
    access: accessSchema,
    groups: z.array(z.string()),
    invitedBy: z.string().meta({ description: "E-mail address of the person who created the invitation." }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
  })
  .meta({ id: "Invitation" });

/** Answer of `POST people/invitations`: the only one that shows the link. */
export const createdInvitationSchema = invitationSchema
  .extend({
    link: z.url().meta({ description: "Link for the invited person, shown once. Its fragment contains the token." }),
  })
  .meta({ id: "CreatedInvitation" });

/** Schema of a page of {@link Invitation}. */
export const invitationPageSchema = pageOf(invitationSchema).meta({ id: "InvitationPage" });

const invitationTokenSchema = z
  .string()
  .min(1)
  .max(256)
  .meta({ description: "The token of the invitation's link, which is the link's fragment." });

/** Body of `POST invitations/look-up`. */
export const lookUpInvitationRequestSchema = z
  .strictObject({ token: invitationTokenSchema })
  .meta({ id: "LookUpInvitationRequest" });

/** Answer of `POST invitations/look-up`. */
export const openInvitationSchema = z
  .strictObject({
    email: z
      .string()
      .optional()
      .meta({ description: "Address that was invited. Left out for the first owner, who names their own." }),
    access: accessSchema,
    groups: z.array(z.string()),
    expiresAt: timestampSchema,
  })
  .meta({ id: "OpenInvitation" });

/** A new password. The service checks its length and refuses common ones. */
export const newPasswordSchema = z.string().min(1).max(512).meta({
  description: "12 to 128 characters of any kind. Common passwords and the e-mail address are refused.",
});

/** Body of `POST invitations/accept`. */
export const acceptInvitationRequestSchema = z
  .strictObject({
    token: invitationTokenSchema,
    email: emailSchema.optional().meta({
      description: "Required for the first owner. Otherwise it must be the invited address, or be left out.",
    }),
    name: personNameSchema,
    password: newPasswordSchema,
  })
  .meta({ id: "AcceptInvitationRequest" });

/** Roles of a person in each environment. */
export type Access = z.infer<typeof accessSchema>;
/** Roles to give in one environment or both. */
export type AccessRequest = z.infer<typeof accessRequestSchema>;
/** A person, as lists show them. */
export type Person = z.infer<typeof personSchema>;
/** Body of `PATCH people/:id`. A field that is left out stays. */
export type UpdatePersonRequest = z.infer<typeof updatePersonRequestSchema>;
/** Query of `DELETE people/:id`. */
export type DeactivatePersonQuery = z.infer<typeof deactivatePersonQuerySchema>;
/** Answer of `DELETE people/:id`. */
export type DeactivatedPerson = z.infer<typeof deactivatedPersonSchema>;
/** Body of `POST people/invitations`, as a caller writes it. */
export type CreateInvitationRequest = z.input<typeof createInvitationRequestSchema>;
/** {@link CreateInvitationRequest} after parsing, with its defaults. */
export type ParsedCreateInvitationRequest = z.infer<typeof createInvitationRequestSchema>;
/** An invitation that is neither accepted nor expired: never with its link. */
export type Invitation = z.infer<typeof invitationSchema>;
/** Answer of `POST people/invitations`: the only one that shows the link. */
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;
/** Body of `POST invitations/look-up`. */
export type LookUpInvitationRequest = z.infer<typeof lookUpInvitationRequestSchema>;
/** Answer of `POST invitations/look-up`. */
export type OpenInvitation = z.infer<typeof openInvitationSchema>;
/** Body of `POST invitations/accept`. */
export type AcceptInvitationRequest = z.infer<typeof acceptInvitationRequestSchema>;
