import { createHmac } from "node:crypto";
import type { IntegrationProbe } from "../../testing/index.ts";
import { onfido } from "./onfido.ts";

const ids = {
  applicant: "3e7b5c1d-2a94-4f0e-8d61-7c9a0b2e4f13",
  workflow: "5a1c9e30-7b42-4d8f-a6e5-1f3d5b7c9e20",
  run: "7f2d4b6a-9c8e-4a10-b3d5-6e8f0a2c4d61",
  check: "8b6f0d2e-4c1a-4e93-9a75-2d4f6b8c0e35",
  report: "9c5e7a3b-1d0f-4b82-8e64-3f5a7c9d1b24",
  monitor: "1a9c8e7d-6b5f-4c31-a204-0e2d4f6a8b57",
  match: "2b8d0f4c-3e6a-4d75-9c10-8f1b3d5e7a46",
};
const created_at = "2026-11-27T09:00:00Z";

const applicant = {
  ...{ id: ids.applicant, first_name: "Jane", last_name: "Doe", email: "jane@example.com", dob: "1970-01-01" },
  ...{ created_at, sandbox: true, href: `/v3.6/applicants/${ids.applicant}` },
};
const run = {
  ...{ id: ids.run, applicant_id: ids.applicant, workflow_id: ids.workflow, workflow_version_id: 3 },
  ...{ status: "processing", output: {}, reasons: [], tags: ["vendor"], created_at, updated_at: created_at },
  ...{ dashboard_url: `https://dashboard.onfido.com/results/${ids.run}` },
  link: { url: `https://eu.onfido.app/l/${ids.run}`, language: "en_US" },
};
const answeredRun = { ...run, sdk_token: "header.payload.signature" };
const recordedRun = { ...run, sdk_token: "[redacted]" };
const check = {
  ...{ id: ids.check, applicant_id: ids.applicant, status: "complete", result: "clear", created_at },
  ...{ report_ids: [ids.report], sandbox: true, href: `/v3.6/checks/${ids.check}` },
};
const report = {
  ...{ id: ids.report, name: "watchlist_standard", status: "complete", result: "clear", check_id: ids.check },
  ...{ created_at, href: `/v3.6/reports/${ids.report}` },
};
const monitor = {
  ...{ id: ids.monitor, applicant_id: ids.applicant, report_name: "watchlist_standard", created_at, is_sandbox: true },
};

const settings = { region: "eu" };
const secrets = { apiToken: "api_sandbox.4k9Zp2Xw", webhookToken: "wht_3f8c6e0d5b1a" };

/** The facts about Onfido. */
export function onfidoProbe(origin: string): IntegrationProbe {
  const integration = onfido({ baseUrl: origin });
  const events = integration.inbound?.events ?? [];
  const person = {
    ...{ first_name: "Jane", last_name: "Doe", email: "jane@example.com", dob: "1970-01-01" },
    ...{ phone_number: "+4915112345", location: { country_of_residence: "DEU" } },
    address: { building_number: "7", street: "Hauptstraße", town: "Berlin", postcode: "10115", country: "DEU" },
    id_numbers: [{ type: "tax_id", value: "12345678911" }],
  };
  const started = {
    ...{ applicant_id: ids.applicant, workflow_id: ids.workflow, customer_user_id: "vendor-7", tags: ["vendor"] },
    ...{ link: { completed_redirect_url: "https://acme.example/thanks", language: "en_US" } },
    ...{ custom_data: { limit: 5 } },
  };
  const checked = {
    ...{ applicant_id: ids.applicant, report_names: ["watchlist_standard"], applicant_provides_data: false },
    ...{ privacy_notices_read_consent_given: true, tags: ["vendor"] },
  };
  const watched = { applicant_id: ids.applicant, report_name: "watchlist_standard", tags: ["vendor"] };
  const task = { id: "document_check_1", workflow_run_id: ids.run, task_def_id: "document_check", created_at };
  const match = { id: ids.match, enabled: true };
  return {
    integration,
    connection: { environment: "sandbox", settings, secrets },
    misplaced: { environment: "sandbox", settings, secrets: { ...secrets, apiToken: "api_live_us.4k9Zp2Xw" } },
    account: {
      exchanges: [{ request: "GET /webhooks", answer: { webhooks: [] } }],
      account: { id: "eu", name: "Onfido, EU" },
    },
    calls: {
      create_applicant: {
        args: person,
        exchanges: [{ request: "POST /applicants", sent: person, status: 201, answer: applicant }],
      },
      get_applicant: {
        args: { id: ids.applicant },
        exchanges: [{ request: `GET /applicants/${ids.applicant}`, answer: applicant }],
      },
      create_workflow_run: {
        ...{ args: started, output: recordedRun },
        exchanges: [{ request: "POST /workflow_runs", sent: started, status: 201, answer: answeredRun }],
      },
      get_workflow_run: {
        ...{ args: { id: ids.run }, output: recordedRun },
        exchanges: [{ request: `GET /workflow_runs/${ids.run}`, answer: answeredRun }],
      },
      list_tasks: {
        ...{ args: { workflow_run_id: ids.run }, output: { items: [task], pages: 1, hasMore: false } },
        exchanges: [{ request: `GET /workflow_runs/${ids.run}/tasks`, answer: [task] }],
      },
      create_check: {
        args: checked,
        exchanges: [{ request: "POST /checks", sent: checked, status: 201, answer: check }],
      },
      get_check: { args: { id: ids.check }, exchanges: [{ request: `GET /checks/${ids.check}`, answer: check }] },
      list_reports: {
        ...{ args: { check_id: ids.check }, output: { items: [report], pages: 1, hasMore: false } },
        exchanges: [{ request: `GET /reports?check_id=${ids.check}`, answer: { reports: [report] } }],
      },
      create_watchlist_monitor: {
        args: watched,
        exchanges: [{ request: "POST /watchlist_monitors", sent: watched, status: 201, answer: monitor }],
      },
      list_monitor_matches: {
        ...{ args: { monitor_id: ids.monitor }, output: { items: [match], pages: 1, hasMore: false } },
        exchanges: [{ request: `GET /watchlist_monitors/${ids.monitor}/matches`, answer: { matches: [match] } }],
      },
    },
    inbound: {
      bodies: Object.fromEntries(events.map(({ type, sample }) => [type, JSON.stringify({ payload: sample })])),
      header: "X-SHA2-Signature",
      sign: (body, { secrets: { webhookToken = "" } }) => ({
        "X-SHA2-Signature": createHmac("sha256", webhookToken).update(body).digest("hex"),
      }),
    },
  };
}
