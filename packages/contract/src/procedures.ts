import * as z from "zod";
import { distinct } from "./distinct.ts";
import { procedureDocumentSchema } from "./document.ts";
import { environmentSchema, scopeQuerySchema } from "./environment.ts";
import { procedureIdSchema, versionNameSchema } from "./identifiers.ts";
import { jsonObjectSchema } from "./json.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { problemSchema } from "./problems.ts";
import { timestampSchema } from "./timestamp.ts";
import { triggerSchema } from "./triggers.ts";

/** In requests a document is any object: the compiler reports all that is wrong with it, its shape included, at once. */
const givenDocument = jsonObjectSchema.meta({ description: "A procedure document." });

const revision = z.int().min(0);

/** Body of `POST procedures/:procedureId/validate`. */
export const validateProcedureRequestSchema = z
  .strictObject({ document: givenDocument })
  .meta({ id: "ValidateProcedureRequest" });

/** Body of `PUT procedures/:procedureId/draft`. */
export const saveDraftRequestSchema = z
  .strictObject({
    document: givenDocument,
    revision: revision.default(0).meta({
      description:
        "Revision of the draft that this one replaces; 409 if the current revision is another one. 0: there is no draft yet.",
    }),
    basedOn: versionNameSchema.optional().meta({
      description:
        "Version from which the document began, or with which it was last compared. Default: that of the draft that it replaces; for a new draft, the newest version.",
    }),
  })
  .meta({ id: "SaveDraftRequest" });

/** Query of `DELETE procedures/:procedureId/draft`. */
export const discardDraftQuerySchema = scopeQuerySchema.extend({
  revision: z.coerce.number<number>().int().min(1).meta({
    description: "Revision of the draft as it was read; 409 if the current revision is another one.",
  }),
});

/** Schema of {@link DraftState}. */
export const draftStateSchema = z
  .strictObject({
    revision: revision.meta({ description: "Keeps growing when a draft is discarded and another one is begun." }),
    updatedAt: timestampSchema,
    by: z.string().meta({ description: "The person who last saved it." }),
  })
  .meta({ id: "DraftState" });

/** Schema of {@link Draft}. */
export const draftSchema = draftStateSchema
  .extend({
    document: jsonObjectSchema,
    basedOn: versionNameSchema.optional().meta({
      description:
        "The newest version whose changes the draft contains: that from which it began, or one that was published from it. Left out if there was none.",
    }),
  })
  .meta({ id: "Draft" });

/** Schema of {@link SavedDraft}. */
export const savedDraftSchema = draftStateSchema
  .extend({ problems: z.array(problemSchema) })
  .meta({ id: "SavedDraft", description: "A draft with problems is saved as well." });

/** Body of `POST procedures/:procedureId/versions`. */
export const publishVersionRequestSchema = z
  .strictObject({
    version: versionNameSchema,
    document: givenDocument.optional().meta({ description: "Default: the draft." }),
    revision: z.int().min(1).optional().meta({
      description:
        "Revision of the draft; 409 if the current revision is another one. Required if a draft that was saved in the other environment becomes a default. Omitted with a document.",
    }),
    basedOn: versionNameSchema.optional().meta({
      description:
        "The version that the caller knows to be the newest; 409 if another one is. Required if the draft lacks the changes of the newest version. Omitted with a document.",
    }),
    defaultIn: distinct(environmentSchema).default([]).meta({
      description:
        "Environments in which the version becomes the default. The first version becomes it in the caller's environment.",
    }),
  })
  .meta({ id: "PublishVersionRequest" });

/** Schema of {@link VersionSummary}. */
export const versionSummarySchema = z
  .strictObject({
    procedureId: procedureIdSchema,
    version: versionNameSchema,
    name: z.string().meta({ description: "The procedure's name as of this version." }),
    publishedBy: z.string(),
    publishedAt: timestampSchema,
  })
  .meta({ id: "VersionSummary" });

/** Answer of `GET procedures/:procedureId/versions/:version`: immutable. */
export const versionSchema = versionSummarySchema.extend({ document: procedureDocumentSchema }).meta({ id: "Version" });

/** Answer of a publish. */
export const publishedVersionSchema = versionSummarySchema
  .extend({ problems: z.array(problemSchema).meta({ description: "Warnings; with an error nothing is published." }) })
  .meta({ id: "PublishedVersion" });

/** Body of `PUT procedures/:procedureId/defaults/:environment`. */
export const setDefaultRequestSchema = z
  .strictObject({ version: z.string().meta({ description: "One that does not exist is a 404." }) })
  .meta({ id: "SetDefaultRequest" });

/** A trigger that does not fit a procedure's default version. */
const unfitTriggerSchema = triggerSchema.pick({ id: true, name: true, problems: true }).meta({ id: "UnfitTrigger" });

/** Schema of {@link DefaultVersion}. */
export const defaultVersionSchema = z
  .strictObject({
    procedureId: procedureIdSchema,
    environment: environmentSchema,
    version: versionNameSchema,
    problems: z.array(problemSchema).meta({ description: "Warnings, in the same form as those of publishing." }),
    triggers: z.array(unfitTriggerSchema).meta({
      description: "Triggers of the environment whose mapping does not fit this version. Their runs do not start.",
    }),
  })
  .meta({ id: "DefaultVersion" });

const summaryFields = {
  procedureId: procedureIdSchema,
  name: z.string(),
  draft: draftStateSchema.optional().meta({ description: "When there is one." }),
  defaults: z
    .strictObject({ sandbox: versionNameSchema, live: versionNameSchema })
    .partial()
    .meta({ description: "The default version of each environment that has one." }),
};

const count = z.int().min(0);

/** A procedure as lists show it, with its numbers in the environment of the request, which are up to 5 s old. */
export const procedureSummarySchema = z
  .strictObject({
    ...summaryFields,
    openReviews: count.meta({ description: "Open reviews of its runs." }),
    last7Days: z.strictObject({ completed: count, failed: count }).meta({
      description:
        "Runs that were started on the last seven days in UTC, today included. Cancelled runs are not counted.",
    }),
    lastRunAt: timestampSchema.optional().meta({ description: "Start of its newest run. Left out if it has none." }),
  })
  .meta({ id: "ProcedureSummary" });

/** Schema of {@link ListProceduresQuery}. */
export const listProceduresQuerySchema = pageQuerySchema.extend({
  search: z.string().min(1).max(200).optional().meta({ description: "Words of the id or name, in either case." }),
});

/** Answer of `GET procedures/:procedureId`. */
export const procedureSchema = z
  .strictObject({
    ...summaryFields,
    draft: draftSchema.optional(),
    versions: z
      .array(versionSummarySchema)
      .max(100)
      .meta({ description: "The newest, newest first; all of them are a list of their own." }),
  })
  .meta({ id: "Procedure" });

/** Schema of a page of {@link ProcedureSummary}. */
export const procedurePageSchema = pageOf(procedureSummarySchema).meta({ id: "ProcedurePage" });
/** Schema of a page of {@link VersionSummary}. */
export const versionPageSchema = pageOf(versionSummarySchema).meta({ id: "VersionPage" });

/** Body of a request that checks a document and saves nothing. */
export type ValidateProcedureRequest = z.infer<typeof validateProcedureRequestSchema>;
/** Body of a request that saves a draft, as a caller writes it. */
export type SaveDraftRequest = z.input<typeof saveDraftRequestSchema>;
/** {@link SaveDraftRequest} after parsing, with its defaults. */
export type ParsedSaveDraftRequest = z.infer<typeof saveDraftRequestSchema>;
/** Query of a request that discards a draft. */
export type DiscardDraftQuery = z.input<typeof discardDraftQuerySchema>;
/** The revision of a draft, with the time and the author of its last save. */
export type DraftState = z.infer<typeof draftStateSchema>;
/** A draft with its document, and the version on which it is based. */
export type Draft = z.infer<typeof draftSchema>;
/** Answer to a saved draft: its new revision and its problems. */
export type SavedDraft = z.infer<typeof savedDraftSchema>;
/** Body of `POST procedures/:id/versions`, as a caller writes it. */
export type PublishVersionRequest = z.input<typeof publishVersionRequestSchema>;
/** {@link PublishVersionRequest} after parsing, with its defaults. */
export type ParsedPublishVersionRequest = z.infer<typeof publishVersionRequestSchema>;
/** A published version as lists show it. */
export type VersionSummary = z.infer<typeof versionSummarySchema>;
/** Answer of `GET procedures/:id/versions/:version`: a published document, unchanged for ever. */
export type Version = z.infer<typeof versionSchema>;
/** Answer of `POST procedures/:id/versions`. */
export type PublishedVersion = z.infer<typeof publishedVersionSchema>;
/** Body of a request that sets the default version of an environment. */
export type SetDefaultRequest = z.infer<typeof setDefaultRequestSchema>;
/** The version that runs without a pinned version take, in one environment. */
export type DefaultVersion = z.infer<typeof defaultVersionSchema>;
/** Query of `GET procedures`, as a caller writes it. */
export type ListProceduresQuery = z.input<typeof listProceduresQuerySchema>;
/** {@link ListProceduresQuery} after parsing, with its defaults. */
export type ParsedListProceduresQuery = z.infer<typeof listProceduresQuerySchema>;
/** A procedure as lists show it. */
export type ProcedureSummary = z.infer<typeof procedureSummarySchema>;
/** Answer of `GET procedures/:id`: the draft with its document, the default versions, and the newest versions. */
export type Procedure = z.infer<typeof procedureSchema>;
