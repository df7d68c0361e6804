import type { ActionDefinition } from "@procedo/engine";
import * as z from "zod";
import type { ServicePages } from "../../kit/read-pages.ts";
import type { Service } from "../../kit/service.ts";

const id = (kind: string) => z.uuid().meta({ description: `Id of ${kind}.` });
const country = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: "ISO 3166-1 code of three letters." });
const personName = z.string().min(1).max(255);
const tags = z.array(z.string().min(1).max(128)).max(30).optional();
const reportName = z.string().regex(/^[a-z_]{1,64}$/);

const address = z.object({
  flat_number: z.string().max(255).optional(),
  building_number: z.string().max(255).optional(),
  building_name: z.string().max(255).optional(),
  street: z.string().max(255).optional(),
  town: z.string().max(255).optional(),
  state: z.string().max(255).optional().meta({ description: "Needed in the USA: a code of two letters." }),
  postcode: z.string().min(1).max(64),
  country,
});

const applicant = z.looseObject({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable().optional(),
  dob: z.string().nullable().optional(),
  created_at: z.string(),
  sandbox: z.boolean().optional(),
});

const workflowRun = z.looseObject({
  id: z.string(),
  applicant_id: z.string(),
  workflow_id: z.string(),
  status: z.string().meta({ description: "`processing`, `awaiting_input`, `approved`, `declined`, `review` …" }),
  output: z.json().optional().meta({ description: "The result, as the workflow is built to state it." }),
  reasons: z.array(z.string()).optional(),
  error: z.json().optional(),
  link: z.looseObject({ url: z.string().optional() }).optional().meta({ description: "The page for the applicant." }),
  dashboard_url: z.string().optional(),
});

const check = z.looseObject({
  id: z.string(),
  applicant_id: z.string(),
  status: z.string().meta({ description: "`in_progress`, `awaiting_applicant`, `complete`, `withdrawn` …" }),
  result: z.string().nullable().optional().meta({ description: "`clear` or `consider`, once it is complete." }),
  report_ids: z.array(z.string()).optional(),
  results_uri: z.string().optional(),
});

const report = z.looseObject({
  id: z.string(),
  name: z.string(),
  check_id: z.string().optional(),
  status: z.string().optional().meta({ description: "`awaiting_data`, `complete`, `withdrawn` and so on." }),
  result: z.string().nullable().optional().meta({ description: "`clear`, `consider` or `unidentified`." }),
  breakdown: z.json().optional(),
  properties: z.json().optional(),
});

const monitor = z.looseObject({
  id: z.string(),
  applicant_id: z.string(),
  report_name: z.string(),
  created_at: z.string().optional(),
});

/** Settings of a connection to Onfido. */
export interface OnfidoSettings {
  readonly region: "eu" | "us" | "ca";
  readonly clientId?: string | undefined;
}

/** Secrets of a connection to Onfido. */
export interface OnfidoSecrets {
  readonly apiToken?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly webhookToken?: string | undefined;
}

interface OnfidoActions {
  readonly [name: string]: ActionDefinition<z.ZodObject, z.ZodType, OnfidoSettings, OnfidoSecrets>;
}

/** The actions of a connection to Onfido. */
export function onfidoActions({ action, list }: Service<OnfidoSettings, OnfidoSecrets>): OnfidoActions {
  return {
    create_applicant: action({
      description: "Creates an applicant: the person whose identity is verified.",
      effect: "once",
      input: z.object({
        first_name: personName,
        last_name: personName,
        email: z.email().max(255).optional(),
        dob: z.iso.date().optional().meta({ description: "Date of birth." }),
        phone_number: z.string().max(32).optional().meta({ description: "In the form of E.164, such as +4915112345." }),
        address: address.optional(),
        location: z.object({ country_of_residence: country.optional(), ip_address: z.string().optional() }).optional(),
        id_numbers: z
          .array(z.object({ type: z.string().max(64), value: z.string().min(1).max(255) }))
          .max(10)
          .optional()
          .meta({ description: "Such as `ssn`, `tax_id` or `passport`, each with its number." }),
      }),
      output: applicant,
      request: (input) => ({ method: "POST", path: "/applicants", json: input }),
    }),
    get_applicant: action({
      description: "Reads an applicant.",
      effect: "read",
      input: z.object({ id: id("an applicant") }),
      output: applicant,
      request: ({ id: applicantId }) => ({ path: "/applicants/{id}", params: { id: applicantId } }),
    }),

    create_workflow_run: action({
      description: "Starts a workflow of Onfido Studio for an applicant.",
      effect: "once",
      input: z.object({
        applicant_id: id("an applicant"),
        workflow_id: id("a workflow"),
        customer_user_id: z.string().max(256).optional().meta({ description: "Your own id of the applicant." }),
        tags,
        link: z
          .object({
            completed_redirect_url: z.url().optional(),
            expired_redirect_url: z.url().optional(),
            expires_at: z.iso.datetime().optional(),
            language: z.string().max(8).optional().meta({ description: "Such as `en_US` or `de_DE`." }),
          })
          .optional()
          .meta({ description: "The page on which the applicant gives documents and pictures." }),
        custom_data: z.record(z.string(), z.json()).optional().meta({ description: "Inputs that the workflow names." }),
      }),
      output: workflowRun,
      request: (input) => ({ method: "POST", path: "/workflow_runs", json: input }),
    }),
    get_workflow_run: action({
      description: "Reads a workflow run with its result.",
      effect: "read",
      input: z.object({ id: id("a workflow run") }),
      output: workflowRun,
      request: ({ id: runId }) => ({ path: "/workflow_runs/{id}", params: { id: runId } }),
    }),
    list_tasks: list({
      description: "Lists the tasks of a workflow run.",
      input: z.object({ workflow_run_id: id("a workflow run") }),
      item: z.looseObject({ id: z.string(), task_def_id: z.string().optional() }),
      request: ({ workflow_run_id }) => ({
        path: "/workflow_runs/{workflow_run_id}/tasks",
        params: { workflow_run_id },
      }),
      items: (body) => z.array(z.json()).parse(body),
      next: () => undefined,
    }),

    create_check: action({
      description: "Starts a check of an applicant, with one or more reports.",
      effect: "once",
      input: z.object({
        applicant_id: id("an applicant"),
        report_names: z.array(reportName).min(1).max(20).meta({
          description: "Such as `document`, `facial_similarity_photo`, `watchlist_standard` or `identity_enhanced`.",
        }),
        document_ids: z.array(z.uuid()).max(50).optional(),
        applicant_provides_data: z
          .boolean()
          .optional()
          .meta({ description: "Whether Onfido asks the applicant for documents and pictures by e-mail." }),
        redirect_uri: z.url().optional(),
        privacy_notices_read_consent_given: z.boolean().optional(),
        tags,
      }),
      output: check,
      request: (input) => ({ method: "POST", path: "/checks", json: input }),
    }),
    get_check: action({
      description: "Reads a check with its result.",
      effect: "read",
      input: z.object({ id: id("a check") }),
      output: check,
      request: ({ id: checkId }) => ({ path: "/checks/{id}", params: { id: checkId } }),
    }),
    list_reports: list({
      description: "Lists the reports of a check.",
      input: z.object({ check_id: id("a check") }),
      item: report,
      request: (query) => ({ path: "/reports", query }),
      ...wholeList("reports"),
    }),

    create_watchlist_monitor: action({
      description: "Watches an applicant on sanctions lists and other watchlists from now on.",
      effect: "once",
      input: z.object({
        applicant_id: id("an applicant"),
        report_name: z.enum(["watchlist_standard", "watchlist_aml"]),
        tags,
      }),
      output: monitor,
      request: (input) => ({ method: "POST", path: "/watchlist_monitors", json: input }),
    }),
    list_monitor_matches: list({
      description: "Lists the matches of a watchlist monitor.",
      input: z.object({ monitor_id: id("a watchlist monitor") }),
      item: z.looseObject({ id: z.string(), enabled: z.boolean().optional() }),
      request: (params) => ({ path: "/watchlist_monitors/{monitor_id}/matches", params }),
      ...wholeList("matches"),
    }),
  };
}

/** A list that has one page. */
function wholeList(kind: string): ServicePages {
  const page = z.object({ [kind]: z.array(z.json()) });
  return { items: (body) => page.parse(body)[kind] ?? [], next: () => undefined };
}
