import {
  defaultVersionSchema,
  discardDraftQuerySchema,
  listProceduresQuerySchema,
  problemsSchema,
  procedurePageSchema,
  procedureSchema,
  savedDraftSchema,
  saveDraftRequestSchema,
  scopeQuerySchema,
  setDefaultRequestSchema,
  successSchema,
  validateProcedureRequestSchema,
  type DraftState,
  type Procedure,
  type ProcedureSummary,
} from "@procedo/contract";
import type {
  DraftState as State,
  ProcedureNumbers,
  ProcedureSummary as Summary,
  ProcedureView,
} from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";
import { versionSummary } from "./versions.ts";

export const listProcedures = defineOperation({
  id: "listProcedures",
  method: "GET",
  path: "/api/v1/procedures",
  tag: "Procedures",
  summary: "List procedures",
  description:
    "Procedures belong to the workspace. Both environments share them; each environment has its own default version and " +
    "numbers. A page examines a bounded number of procedures and of discarded drafts: it may be short or even empty although it has a " +
    "`nextCursor`.",
  query: listProceduresQuerySchema,
  answers: { 200: { description: "One page of procedures, by id.", schema: procedurePageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query }) => {
    const page = await engine.procedures.list({ ...pageRequest(query), ...named({ search: query.search }) });
    const procedureIds = page.items.map(({ procedureId }) => procedureId);
    const numbers = await engine.summary.ofProcedures({ environment, procedureIds });
    const items = page.items.flatMap((procedure, index) => {
      const counted = numbers[index];
      return counted === undefined ? [] : [{ ...procedureSummary(procedure), ...numbersAnswer(counted) }];
    });
    return reply(200, pageAnswer(page, items));
  },
});

export const getProcedure = defineOperation({
  id: "getProcedure",
  method: "GET",
  path: "/api/v1/procedures/:procedureId",
  tag: "Procedures",
  summary: "Get a procedure",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The procedure with its draft and newest versions.", schema: procedureSchema } },
  errors: ["procedure_not_found"],
  handle: async ({ engine, params }) => reply(200, procedureAnswer(await engine.procedures.get(params))),
});

export const saveDraft = defineOperation({
  id: "saveDraft",
  method: "PUT",
  path: "/api/v1/procedures/:procedureId/draft",
  tag: "Procedures",
  summary: "Save a draft",
  description: "A procedure has one draft. A draft with problems is saved too; the answer lists the problems.",
  permission: "manage",
  query: scopeQuerySchema,
  heavy: () => true,
  body: { schema: saveDraftRequestSchema },
  answers: { 200: { description: "The draft's revision, and the document's problems.", schema: savedDraftSchema } },
  errors: ["revision_conflict", "version_not_found", "invalid_input"],
  handle: async ({ engine, params, principal, body, outside }) => {
    const { basedOn, ...saved } = body;
    const draft = { ...params, ...saved, ...named({ basedOn }), by: principal };
    const { problems, ...state } = await engine.procedures.saveDraft(draft, { outside });
    return reply(200, { ...draftState(state), problems: [...problems] });
  },
});

export const discardDraft = defineOperation({
  id: "discardDraft",
  method: "DELETE",
  path: "/api/v1/procedures/:procedureId/draft",
  tag: "Procedures",
  summary: "Discard the draft",
  description: "Versions stay. A procedure without versions then no longer exists.",
  permission: "manage",
  query: discardDraftQuerySchema,
  body: noBody,
  answers: { 200: { description: "The draft is discarded.", schema: successSchema } },
  errors: ["procedure_not_found", "revision_conflict"],
  handle: async ({ engine, params, principal, query }) => {
    await engine.procedures.discardDraft({ ...params, revision: query.revision, by: principal });
    return reply(200, { success: true });
  },
});

export const validateProcedure = defineOperation({
  id: "validateProcedure",
  method: "POST",
  onlyReads: true,
  path: "/api/v1/procedures/:procedureId/validate",
  tag: "Procedures",
  summary: "Check a document",
  description:
    "Reports the problems that publishing the document in the key's environment would report. Nothing is saved.",
  query: scopeQuerySchema,
  heavy: () => true,
  body: { schema: validateProcedureRequestSchema },
  answers: { 200: { description: "The document's problems.", schema: problemsSchema } },
  errors: [],
  handle: async ({ engine, environment, params, body, outside }) => {
    const asked = { ...params, ...body, environments: [environment] };
    const problems = await engine.procedures.validate(asked, { outside });
    return reply(200, { problems: [...problems] });
  },
});

export const setDefault = defineOperation({
  id: "setDefault",
  method: "PUT",
  path: "/api/v1/procedures/:procedureId/defaults/:environment",
  tag: "Procedures",
  summary: "Choose the default version",
  description:
    "Runs that name no version use the default version. The connections of that version in the environment are checked first.",
  permission: "manage",
  query: scopeQuerySchema,
  heavy: () => true,
  body: { schema: setDefaultRequestSchema },
  answers: { 200: { description: "The default version.", schema: defaultVersionSchema } },
  errors: ["version_not_found", "invalid_document"],
  handle: async ({ engine, environment, params, principal, body, outside }) => {
    const chosen = { procedureId: params.procedureId, environment, version: body.version };
    const { problems } = await engine.procedures.setDefault({ ...chosen, by: principal }, { outside });
    const unfit = await engine.triggers.unfit({ environment, procedureId: chosen.procedureId });
    const triggers = unfit.map(({ triggerId: id, name, problems: places }) => ({ id, name, problems: [...places] }));
    return reply(200, { ...chosen, problems: [...problems], triggers });
  },
});

/** Converts a procedure to its form in lists, without its numbers in an environment. */
export function procedureSummary({
  procedureId,
  name,
  draft,
  defaults,
}: Summary): Omit<ProcedureSummary, "last7Days" | "lastRunAt" | "openReviews"> {
  return {
    procedureId,
    name,
    ...(draft !== undefined && { draft: draftState(draft) }),
    defaults,
  };
}

function draftState({ revision, updatedAtMs, by }: State): DraftState {
  return { revision, updatedAt: timestamp(updatedAtMs), by };
}

function numbersAnswer({
  openReviews,
  last7Days,
  lastRunAtMs,
}: ProcedureNumbers): Pick<ProcedureSummary, "last7Days" | "lastRunAt" | "openReviews"> {
  return { openReviews, last7Days, ...(lastRunAtMs !== undefined && { lastRunAt: timestamp(lastRunAtMs) }) };
}

function procedureAnswer(view: ProcedureView): Procedure {
  const { draft, versions } = view;
  const { draft: _draft, ...summary } = procedureSummary(view);
  return {
    ...summary,
    ...(draft !== undefined && {
      draft: { ...draftState(draft), document: draft.document, ...named({ basedOn: draft.basedOn }) },
    }),
    versions: versions.map(versionSummary),
  };
}
